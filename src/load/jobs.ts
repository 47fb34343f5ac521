// What can be asked of a project in another thread. Everything that goes in and out is plain JSON.

import { assertUnreachable } from '../base/assert.ts'
import type { CheckedFile } from './check.ts'
import { checkProject } from './check.ts'
import type { Project } from './found.ts'
import type { ListedConversation } from './list.ts'
import { listProject } from './list.ts'
import type { Reconstructed } from './reconstruct.ts'
import { reconstructProject } from './reconstruct.ts'
import type { PackedUsage } from './usage-project.ts'
import { usageOfProject } from './usage-project.ts'

export interface Jobs {
  readonly list: readonly ListedConversation[]
  readonly check: readonly CheckedFile[]
  readonly reconstruct: Reconstructed
  readonly usage: readonly PackedUsage[]
}

export type JobName = keyof Jobs

export interface Job {
  readonly name: JobName
  readonly project: Project
}

export function runJob({ name, project }: Job): Jobs[JobName] {
  switch (name) {
    case 'list':
      return listProject(project)
    case 'check':
      return checkProject(project)
    case 'reconstruct':
      return reconstructProject(project)
    case 'usage':
      return usageOfProject(project)
    default:
      return assertUnreachable(name)
  }
}
