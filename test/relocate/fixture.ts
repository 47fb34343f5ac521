// A made-up Claude directory with everything a path can be confused with: a neighbour whose name goes on, two paths that
// share one folder name, a worktree, a path in Japanese, files of old clients, and the client's own files about projects.

import { projectKeyOf } from '../../src/store/project-key.ts'
import type { Raw } from '../cli/records.ts'
import { jsonl, prompt, reply, session, sessionId, talk } from '../cli/records.ts'

export const OLD = '/home/ada/潮見.watch'
export const NEW = '/home/ada/code/tide watch'
/** Their folder below `projects` has the same name as that of OLD. */
export const SHARED = '/home/ada/潮汐-watch'
export const NEIGHBOUR = '/home/ada/潮見.watch-docker'
export const WORKTREE = `${OLD}/.claude/worktrees/reef`
export const BELOW = `${OLD}/sub`

export const [MAIN, SHARING, DOCKER, TREE, SUB, LOST, EMPTY] = '1234567'.split('').map(sessionId) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
]

export const LONG_AGO = new Date('2026-02-01T00:00:00.000Z')
export const NOW_MS = Date.parse('2026-06-01T00:00:00.000Z')

const key = projectKeyOf
const at = (cwd: string, more: Raw = {}): Raw => ({ cwd, ...more })

/** Names below a home folder; `.claude` is the Claude directory. */
export function homeFiles(): Readonly<Record<string, string>> {
  const tree = [
    ...session(TREE, [prompt('w1', null, 'before the worktree')], at(OLD)),
    { type: 'relocated', sessionId: TREE, relocatedCwd: WORKTREE },
    {
      type: 'worktree-state',
      worktreeSession: { originalCwd: OLD, worktreePath: WORKTREE, worktreeName: 'reef' },
      sessionId: TREE,
    },
    ...session(TREE, [reply('w2', 'w1', 'in the worktree')], at(WORKTREE)),
  ]
  const main = [
    ...session(
      MAIN,
      [prompt('m1', null, `look at ${OLD}/a.txt`), reply('m2', 'm1', 'Seen.'), prompt('m3', 'm2', 'and now here')],
      at(OLD),
    ),
    ...session(MAIN, [reply('m4', 'm3', 'Yes.')], at(BELOW)),
  ]
  const snapshot = {
    type: 'file-history-delta',
    messageId: 'm1',
    trackingPath: 'a.txt',
    backup: { backupFileName: 'aa@v1', realParentDir: OLD },
  }
  return {
    [`.claude/projects/${key(OLD)}/${MAIN}.jsonl`]: `${jsonl(main)}${jsonl([snapshot])}{"type":"user","cwd":"${OLD}","torn`,
    [`.claude/projects/${key(OLD)}/${MAIN}/subagents/agent-a1.jsonl`]: jsonl(
      session(MAIN, [prompt('s1', null, 'agent', { isSidechain: true, agentId: 'a1' })], at(OLD)),
    ),
    [`.claude/projects/${key(OLD)}/${MAIN}/subagents/agent-a1.meta.json`]: '{"agentType":"Explore"}',
    [`.claude/projects/${key(OLD)}/${MAIN}/tool-results/b1234.txt`]: `lines about ${OLD}\n`,
    [`.claude/projects/${key(OLD)}/agent-f1a7000.jsonl`]: jsonl(
      session(MAIN, [prompt('f1', null, 'flat', { isSidechain: true, agentId: 'f1a7000' })], at(OLD)),
    ),
    [`.claude/projects/${key(OLD)}/${SHARING}.jsonl`]: jsonl(talk(SHARING, 'of the other one', at(SHARED))),
    [`.claude/projects/${key(OLD)}/${SHARING}/tool-results/b9.txt`]: 'other',
    [`.claude/projects/${key(OLD)}/memory/MEMORY.md`]: 'whose?',
    [`.claude/projects/${key(OLD)}/${LOST}.jsonl`]: jsonl([
      { type: 'summary', summary: 'says nothing', leafUuid: 'x' },
    ]),
    [`.claude/projects/${key(NEIGHBOUR)}/${DOCKER}.jsonl`]: jsonl(talk(DOCKER, `not ${OLD}`, at(NEIGHBOUR))),
    [`.claude/projects/${key(WORKTREE)}/${TREE}.jsonl`]: jsonl(tree),
    [`.claude/projects/${key(BELOW)}/${SUB}.jsonl`]: jsonl(talk(SUB, 'below', at(BELOW))),
    [`.claude/projects/${key(BELOW)}/${EMPTY}.jsonl`]: jsonl([{ type: 'summary', summary: 'ours', leafUuid: 'y' }]),
    [`.claude/projects/${key(BELOW)}/memory/MEMORY.md`]: 'ours alone',
    [`.claude/projects/${key(BELOW)}/sessions-index.json`]: JSON.stringify({
      version: 1,
      entries: [{ sessionId: SUB, projectPath: BELOW, firstPrompt: BELOW }],
      originalPath: BELOW,
    }),
    '.claude/history.jsonl': jsonl([
      { display: `cd ${OLD}`, timestamp: 1, project: OLD, sessionId: MAIN },
      { display: 'x', timestamp: 2, project: NEIGHBOUR, sessionId: DOCKER },
      { display: 'y', timestamp: 3, project: BELOW },
    ]),
    '.claude/sessions/999999.json': JSON.stringify({ pid: 999_999, sessionId: MAIN, cwd: OLD, status: 'idle' }),
    '.claude/jobs/j1/state.json': `{ "cwd" : ${JSON.stringify(WORKTREE)} , "size":1.50e2}`,
    '.claude/settings.json': JSON.stringify({ permissions: { allow: [`Read(${OLD}/**)`, `Read(${NEIGHBOUR}/**)`] } }),
    '.claude/.credentials.json': `{"never":"${OLD}"}`,
    [`.claude/todos/${MAIN}-agent-${MAIN}.json`]: '[]',
    [`.claude/file-history/${MAIN}/aa@v1`]: `a copy of ${OLD}`,
    '.claude.json': `{
  // kept as it is
  "numStartups" : 12.0,
  "projects": {
    ${JSON.stringify(OLD)}: { "allowedTools": [], "mcpServers": {"a":{"cwd":${JSON.stringify(BELOW)}}}, "history":[{"display":${JSON.stringify(OLD)}}] },
    ${JSON.stringify(NEIGHBOUR)}: {"x": 1},
    ${JSON.stringify(WORKTREE)}: {}
  },
  "userID": "\\u0061da"
}
`,
  }
}
