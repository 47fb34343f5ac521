import type { JSX } from 'react'
import { useMemo } from 'react'
import type { HomeRow } from '../../server/api/home.ts'
import { count, lastName } from '../parts/units.ts'
import { groupsOf } from './group-rows.ts'

export interface ProjectChoiceProps {
  readonly rows: readonly HomeRow[]
  readonly project: string | null
  readonly onProject: (project: string | null) => void
}

/** Repositories by name, their worktrees below them. */
export function ProjectChoice({ rows, project, onProject }: ProjectChoiceProps): JSX.Element {
  const repositories = useMemo(
    () => groupsOf(rows, 'repository').toSorted((one, other) => compare(lastName(one.path), lastName(other.path))),
    [rows],
  )
  return (
    <select
      className="field project-choice"
      aria-label="Project"
      value={project ?? ''}
      onChange={({ target }) => onProject(target.value === '' ? null : target.value)}
    >
      <option value="">All projects</option>
      {repositories.flatMap(({ path, rows: own }) => [
        <option key={path} value={path} title={path}>
          {lastName(path)} ({count(own.length)})
        </option>,
        ...groupsOf(own, 'project')
          .filter((worktree) => worktree.path !== path)
          .map((worktree) => (
            <option key={worktree.path} value={worktree.path} title={worktree.path}>
              {`\u00a0\u00a0↳ ${lastName(worktree.path)} (${count(worktree.rows.length)})`}
            </option>
          )),
      ])}
    </select>
  )
}

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
