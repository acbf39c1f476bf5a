import { type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError, type SignedInCall, UsageError } from '../context.ts'
import { allPages, projectOf } from '../projects.ts'
import { facts, table } from '../table.ts'
import { followToEnd } from './deploy.ts'

/** The panel keeps only a hash of the URL's secret. */
export const hook: Command = {
  name: 'hook',
  about: 'show whether a project has a deploy hook; with --rotate, make a new URL and print it',
  args: '[project]',
  options: [
    ['--rotate', 'make a new URL, shown this once; the previous one stops working'],
    ['--remove', 'remove the deploy hook']
  ],
  example: 'hook shop --rotate',
  async run(call) {
    const { client, options, print, next } = call
    if (options.rotate === true && options.remove === true) throw new UsageError('Use either --rotate or --remove')
    const { id, name } = await projectOf(call)
    const params = { path: { id } }
    if (options.remove === true) {
      await unwrap(client.DELETE('/api/projects/{id}/git/deploy-hook', { params }))
      print({ createdAt: null }, 'Removed the deploy hook\n')
      return next(`hook ${name} --rotate`)
    }
    if (options.rotate === true) {
      const made = await unwrap(client.POST('/api/projects/{id}/git/deploy-hook', { params }))
      print(made, `${made.url}\n`)
      return next(`deliveries list ${name}`)
    }
    const found = await unwrap(client.GET('/api/projects/{id}/git/deploy-hook', { params }))
    print(found, found.createdAt === null ? 'No deploy hook\n' : `Deploy hook since ${found.createdAt}\n`)
    next(found.createdAt === null ? `hook ${name} --rotate` : `deliveries list ${name}`)
  }
}

export const listDeliveries: Command = {
  name: 'deliveries list',
  about: 'list what Git providers and the deploy hook sent, with the verdict and its reason',
  args: '[project]',
  options: [['--verdict <verdict>', 'only accepted, ignored or refused']],
  example: 'deliveries list shop --verdict ignored',
  async run(call) {
    const project = await projectOf(call)
    const all = await deliveriesOf(call, project.id, verdictIn(call.options.verdict))
    const rows = all.map(({ id, createdAt, provider, event, ref, commitHash, verdict, reason }) => [
      ...[id, createdAt, provider, event, ref?.name, commitHash?.slice(0, 8), verdict, reason]
    ])
    call.print(all, table(['ID', 'RECEIVED', 'FROM', 'EVENT', 'REF', 'COMMIT', 'VERDICT', 'REASON'], rows))
    const replayable = all.find((delivery) => delivery.replayable)
    if (all.length === 0) call.next(`hook ${project.name}`)
    else call.next(`deliveries ${replayable ? 'replay' : 'show'} ${project.name} ${(replayable ?? all[0])!.id}`)
  }
}

export const showDelivery: Command = {
  name: 'deliveries show',
  about: 'show one delivery',
  args: '[project] <delivery>',
  example: 'deliveries show shop 01k5p9v2c3d4e5f6g7h8j9kmnp',
  async run(call) {
    const project = await projectOf(call)
    const delivery = (await deliveriesOf(call, project.id)).find(({ id }) => id === call.args[0])
    if (!delivery) throw new CommandError(`The project ${project.name} has no delivery "${call.args[0]!}"`)
    const { ref, sentences: _sentences, ...shown } = delivery
    call.print(delivery, facts({ ...shown, ref: ref === null ? null : `${ref.kind} ${ref.name}` }))
    call.next(`deliveries ${delivery.replayable ? `replay ${project.name} ${delivery.id}` : `list ${project.name}`}`)
  }
}

export const replayDelivery: Command = {
  name: 'deliveries replay',
  about: 'deploy the commit of a delivery, whatever the rules say, and follow the log',
  args: '[project] <delivery>',
  example: 'deliveries replay shop 01k5p9v2c3d4e5f6g7h8j9kmnp',
  async run(call) {
    const project = await projectOf(call)
    const path = { id: project.id, deliveryId: call.args[0]! }
    const queued = await unwrap(
      call.client.POST('/api/projects/{id}/webhook-deliveries/{deliveryId}/replay', { params: { path } })
    )
    await followToEnd(call, project, queued)
  }
}

type Verdict = Schema<'WebhookDelivery'>['verdict']
const verdicts: readonly Verdict[] = ['ACCEPTED', 'IGNORED', 'REFUSED']

function verdictIn(given: string | boolean | undefined): Verdict | undefined {
  if (given === undefined) return undefined
  const found = verdicts.find((verdict) => verdict === String(given).toUpperCase())
  if (!found) throw new UsageError('--verdict must be accepted, ignored or refused')
  return found
}

const deliveriesOf = (
  { client }: Pick<SignedInCall, 'client'>,
  id: string,
  verdict?: Verdict
): Promise<Schema<'WebhookDelivery'>[]> =>
  allPages(async (page) => {
    const query = { page, limit: 100, ...(verdict === undefined ? {} : { verdict }) }
    const found = await unwrap(client.GET('/api/projects/{id}/webhook-deliveries', { params: { path: { id }, query } }))
    return { items: found.deliveries, totalPages: found.pagination.totalPages }
  })
