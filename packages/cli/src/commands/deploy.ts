import { setTimeout as sleep } from 'node:timers/promises'
import { type Schema, unwrap } from '@panel/client'
import { CommandError, type SignedInCall, step } from '../context.ts'
import { withRetries } from '../with-retries.ts'
import { findProject } from '../projects.ts'
import { printableLog } from '../table.ts'

const pollEveryMs = 1_000

/** Builds and deploys the latest commit. With --wait, the log goes to stderr, and a failed deployment exits with 1. */
export async function deploy(call: SignedInCall): Promise<void> {
  const { client, args, options, print } = call
  const project = await findProject(client, args[0]!)
  const path = { id: project.id }
  const queued = await unwrap(client.POST('/api/projects/{id}/build', { params: { path } }))
  if (options.wait !== true) return print(queued, `Deployment ${queued.id} is ${queued.status}\n`)
  step(call, `Deployment ${queued.id}`)
  const ended = await follow(call, project.id, queued.id)
  if (ended.status !== 'RUNNING') {
    print(ended, '')
    throw new CommandError(`The deployment is ${ended.status}`)
  }
  const { deployedDomain } = await unwrap(client.GET('/api/projects/{id}', { params: { path } }))
  print(ended, `Deployment ${ended.id} is RUNNING at ${deployedDomain ?? 'no domain'}\n`)
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
