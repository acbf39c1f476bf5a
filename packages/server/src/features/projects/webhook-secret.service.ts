import { Id } from '@panel/contract/common'
import type { Dependencies } from '../../dependencies.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { findProject } from './project-access.ts'

export const openWebhookSecret = workerVerb('projects.webhookSecret', [Id], open, { isSecret: true })

async function open(deps: Pick<Dependencies, 'db' | 'secretBox'>, id: string): Promise<string | null> {
  const { webhookSecret } = (await findProject(deps.db, id)) ?? {}
  return webhookSecret == null ? null : deps.secretBox.open(webhookSecret)
}
