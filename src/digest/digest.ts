// Works → Digest: the same for one Turn and for a whole Conversation.

import { activeTime } from './active.ts'
import type { AgentWork } from './agents.ts'
import type { CallFacts } from './call.ts'
import { REFUSED } from './call.ts'
import { joinCites } from './citation.ts'
import { failingsOf } from './failings.ts'
import type {
  Citation,
  CommandRun,
  Commit,
  Decision,
  Digest,
  FileOutcome,
  FileTally,
  Plan,
  PullRequest,
  Todo,
  Told,
  ToolTally,
} from './model.ts'
import { planTitle } from './planning.ts'
import { usageOfReplies } from './tokens.ts'
import type { Work } from './work.ts'

export interface Done {
  readonly works: readonly Work[]
  readonly agents: readonly AgentWork[]
  readonly done: readonly Told[]
  /** What the person was asked in plain text, with what they wrote next. */
  readonly asked: readonly Decision[]
  /** Tasks are named once and then only by number. */
  readonly todoTexts: ReadonlyMap<string, string>
}

export function digestOf({ works, agents, done, asked, todoTexts }: Done): Digest {
  const own = works.flatMap(({ calls }) => calls)
  const all = [...own, ...agents.flatMap(({ calls }) => calls)].sort(byTime)
  const replies = works.flatMap((work) => work.replies)
  const agentReplies = agents.flatMap((agent) => agent.replies)
  const times = works.flatMap((work) => work.times)
  const models = [...replies, ...agentReplies].flatMap(({ model }) => model ?? [])
  return {
    startedMs: times.length === 0 ? null : times.reduce((one, other) => Math.min(one, other)),
    endedMs: times.length === 0 ? null : times.reduce((one, other) => Math.max(one, other)),
    activeMs: activeTime(works),
    done,
    tools: toolsOf(own),
    files: filesOf(all),
    commands: commandsOf(all),
    agents: agents.flatMap(({ brief }) => brief ?? []),
    decisions: [...decisionsOf(own), ...asked],
    failings: failingsOf(
      all,
      works.flatMap(({ upsets }) => upsets),
    ),
    plans: plansOf(own),
    todos: todosOf(own, todoTexts),
    commits: all.flatMap(({ git, cites }) => git.commits.map((one): Commit => ({ ...one, cites }))),
    pullRequests: pullRequestsOf(all),
    models: [...new Set(models)],
    usage: usageOfReplies(replies),
    agentUsage: usageOfReplies(agentReplies),
  }
}

/** Stable: what has no time keeps its place behind what came before. */
function byTime(one: CallFacts, other: CallFacts): number {
  return one.timestampMs === null || other.timestampMs === null ? 0 : one.timestampMs - other.timestampMs
}

function toolsOf(calls: readonly CallFacts[]): readonly ToolTally[] {
  const groups = grouped(calls, ({ name }) => name)
  return [...groups]
    .map(([name, group]) => ({
      name,
      calls: group.length,
      failed: group.filter(({ status }) => status === 'error').length,
      cites: citesOf(group),
    }))
    .sort((one, other) => other.calls - one.calls || (one.name < other.name ? -1 : 1))
}

const WEIGHT: Readonly<Record<FileOutcome, number>> = { read: 0, edited: 1, created: 2, deleted: 3 }

function filesOf(calls: readonly CallFacts[]): readonly FileTally[] {
  const touches = calls.flatMap(({ files, cites }) => files.map((file) => ({ ...file, cites })))
  return [...grouped(touches, ({ path }) => path)].map(([path, group]) => {
    const changes = group.filter(({ outcome }) => outcome === 'edited' || outcome === 'created')
    const counted = changes.filter(({ added }) => added !== null)
    const sum = (field: 'added' | 'removed'): number | null =>
      counted.length === 0 ? null : counted.reduce((total, change) => total + (change[field] ?? 0), 0)
    // Written again after it was deleted, it is there.
    const last = group.findLastIndex(({ outcome }) => outcome === 'deleted')
    const kept = last >= 0 && last < group.length - 1 ? group.filter(({ outcome }) => outcome !== 'deleted') : group
    return {
      path,
      outcome: kept.reduce<FileOutcome>(
        (best, { outcome }) => (WEIGHT[outcome] > WEIGHT[best] ? outcome : best),
        'read',
      ),
      reads: group.filter(({ outcome }) => outcome === 'read').length,
      edits: changes.length,
      added: sum('added'),
      removed: sum('removed'),
      // What was done to it before what was only looked at.
      cites: citesOf([...group.filter(({ outcome }) => outcome !== 'read'), ...group]),
    }
  })
}

function commandsOf(calls: readonly CallFacts[]): readonly CommandRun[] {
  const runs = calls.flatMap(({ command, status, cites }) => (command === null ? [] : [{ ...command, status, cites }]))
  return [...grouped(runs, ({ command }) => command)].map(([command, group]) => {
    const { purpose, status, wentWell, outcome } = group.at(-1) as (typeof group)[number]
    return { command, purpose, status, wentWell, outcome, times: group.length, cites: citesOf(group) }
  })
}

function decisionsOf(calls: readonly CallFacts[]): readonly Decision[] {
  return calls.flatMap(({ name, subject, refusal, planning, cites }) => {
    const asked = planning.questions.map((one): Decision => ({ ...one, cites }))
    if (refusal === null || asked.length > 0) return asked
    if (planning.plan !== null) {
      // That it was turned down is told among the plans; why is not.
      const isBare = refusal === REFUSED
      return isBare ? [] : [{ question: `Plan: ${planTitle(planning.plan.text)}`, answer: refusal, cites }]
    }
    return [
      {
        question: `May it use ${name}${subject === '' ? '' : `: ${subject.split('\n', 1)[0]}`}?`,
        answer: refusal,
        cites,
      },
    ]
  })
}

function plansOf(calls: readonly CallFacts[]): readonly Plan[] {
  return calls.flatMap(({ planning, cites }) => (planning.plan === null ? [] : [{ ...planning.plan, cites }]))
}

function todosOf(calls: readonly CallFacts[], texts: ReadonlyMap<string, string>): readonly Todo[] {
  const todos = new Map<string, Todo>()
  let onList: readonly string[] = []
  for (const { planning, cites } of calls) {
    if (planning.isWholeList) {
      const left = new Set(planning.todos.map(({ key }) => key))
      for (const key of onList) if (!left.has(key) && todos.get(key)?.state !== 'done') todos.delete(key)
      onList = [...left]
    }
    for (const { key, text, state } of planning.todos) {
      if (state === 'dropped') todos.delete(key)
      else {
        const told = text ?? todos.get(key)?.text ?? texts.get(key) ?? `task ${key}`
        todos.set(key, { text: told, state, cites: joinCites([todos.get(key)?.cites ?? [], cites]) })
      }
    }
  }
  return [...todos.values()]
}

function pullRequestsOf(calls: readonly CallFacts[]): readonly PullRequest[] {
  const made = calls.flatMap(({ git, cites }) => git.pullRequests.map((one) => ({ ...one, cites })))
  return [...grouped(made, ({ url }) => url)].map(([url, group]) => ({
    url,
    title: group.find(({ title }) => title !== null)?.title ?? null,
    cites: citesOf(group),
  }))
}

function grouped<Value>(values: readonly Value[], keyOf: (value: Value) => string): ReadonlyMap<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}

function citesOf(group: readonly { readonly cites: readonly Citation[] }[]): readonly Citation[] {
  return joinCites(group.map(({ cites }) => cites))
}
