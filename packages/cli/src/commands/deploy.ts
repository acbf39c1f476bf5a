import { setTimeout as sleep } from 'node:timers/promises'
import { type Schema, unwrap } from '@panel/client'
import { paint } from '../colour.ts'
import type { Command } from '../command.ts'
import { CommandError, type SignedInCall, step } from '../context.ts'
import { projectOf } from '../projects.ts'
import { printableLog } from '../table.ts'
import { withRetries } from '../with-retries.ts'
import { uploadFolder } from './upload-folder.ts'

const pollEveryMs = 1_000

export const deploy: Command = {
  name: 'deploy',
  about: 'deploy the latest commit, a folder or the files of the project, and follow the log until it is live',
  args: '[project]',
  options: [
    ['--from <path>', 'upload this folder instead, without what .gitignore or .panelignore names; or a zip or tar.gz'],
    ['--retry <deployment>', 'build the uploaded folder of this deployment again'],
    ['--detach', 'queue the deployment and do not follow it'],
    ['--wait', 'follow the log; the default, kept for scripts']
  ],
  example: 'deploy shop --from .',
  async run(call) {
    const { client, options, print, next } = call
    const project = await projectOf(call)
    const queued =
      typeof options.from === 'string'
        ? await uploadFolder(call, project, options.from)
        : await unwrap(
            client.POST('/api/projects/{id}/build', {
              params: { path: { id: project.id } },
              ...(typeof options.retry === 'string' && { body: { retryOf: options.retry } })
            })
          )
    if (options.detach === true) {
      print(queued, `Deployment ${queued.id} is ${queued.status}\n`)
      return next(`releases ${project.name}`)
    }
    await followToEnd(call, project, queued)
  }
}

/** The log goes to standard error. A deployment that does not get live exits with 1. */
export async function followToEnd(
  call: SignedInCall,
  project: Schema<'Project'>,
  { id }: Schema<'Deployment'>
): Promise<void> {
  const { client, print, next } = call
  step(call, `Deployment ${id}`)
  const ended = await follow(call, project.id, id)
  if (ended.status !== 'RUNNING') {
    print(ended, '')
    next(`releases ${project.name}`)
    throw new CommandError(`The deployment is ${ended.status}`)
  }
  const { deployedDomain } = await unwrap(client.GET('/api/projects/{id}', { params: { path: { id: project.id } } }))
  const status = paint(call, call.stdout, 'green', 'RUNNING')
  print(ended, `Deployment ${ended.id} is ${status} at ${deployedDomain ?? 'no domain'}\n`)
  next(`logs ${project.name} -f`)
}

async function follow(call: SignedInCall, id: string, deploymentId: string): Promise<Schema<'Deployment'>> {
  let shown = ''
  for (;;) {
    const path = { id, deploymentId }
    const deployment = await withRetries(call.signal, () =>
      unwrap(call.client.GET('/api/projects/{id}/deployments/{deploymentId}', { params: { path } }))
    )
    const log = deployment.buildLogs ?? ''
    // A log beyond its size limit loses its beginning; then print it from its new start.
    call.stderr.write(printableLog(log.startsWith(shown) ? log.slice(shown.length) : log))
    shown = log
    if (['RUNNING', 'FAILED', 'CANCELLED'].includes(deployment.status)) return deployment
    await sleep(pollEveryMs, undefined, { signal: call.signal })
  }
}
