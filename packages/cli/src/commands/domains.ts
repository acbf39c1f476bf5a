import { type Client, type Schema, unwrap } from '@panel/client'
import { CommandError, type SignedInCall } from '../context.ts'
import { allPages, findProject, projectNames } from '../projects.ts'
import { table } from '../table.ts'

export async function listDomains({ client, options, print }: SignedInCall): Promise<void> {
  const projectId = await projectOf(client, options.project)
  const all = await domainsOf(client, projectId === undefined ? {} : { projectId })
  const nameOf = await projectNames(client)
  const rows = all.map(({ hostname, status, dnsMode, sslEnabled, projectId: project }) => [
    ...[hostname, status, dnsMode, sslEnabled ? 'yes' : 'no', nameOf(project)]
  ])
  print(all, table(['HOSTNAME', 'STATUS', 'DNS', 'HTTPS', 'PROJECT'], rows))
}

export async function addDomain({ client, args, options, print }: SignedInCall): Promise<void> {
  const projectId = await projectOf(client, options.project)
  const body = { hostname: args[0]!, ...(projectId === undefined ? {} : { projectId }) }
  const domain = await unwrap(client.POST('/api/domains', { body }))
  const instructions = domain.verificationInstructions
  const text = instructions ? recordsText(domain.hostname, instructions) : `${domain.hostname} is ${domain.status}\n`
  print(domain, text)
}

function recordsText(hostname: string, instructions: Schema<'VerificationInstructions'>): string {
  const { recordType, recordName, recordValue, routingRecord } = instructions
  const records = [
    [recordType, recordName, recordValue],
    [routingRecord.recordType, routingRecord.recordName, routingRecord.publicIp]
  ]
  return `Add these records to the DNS of ${hostname}, then run panel-cli domains verify ${hostname}\n\n${table(['TYPE', 'NAME', 'VALUE'], records)}`
}

export async function verifyDomain({ client, args, print }: SignedInCall): Promise<void> {
  const domain = await findDomain(client, args[0]!)
  const path = { id: domain.id }
  const result = await unwrap(client.POST('/api/domains/{id}/verify', { params: { path } }))
  print(result, result.verified ? `${domain.hostname} is verified\n` : '')
  if (!result.verified) throw new CommandError(result.message)
}

export async function findDomain(client: Client, hostname: string): Promise<Schema<'Domain'>> {
  const found = await domainsOf(client, { search: hostname.slice(0, 253) })
  const domain = found.find((each) => each.hostname === hostname)
  if (domain) return domain
  throw new CommandError(`Domain "${hostname}" not found. Run panel-cli domains list to list your domains`)
}

async function projectOf(client: Client, wanted: string | boolean | undefined): Promise<string | undefined> {
  return typeof wanted === 'string' ? (await findProject(client, wanted)).id : undefined
}

const domainsOf = (client: Client, query: { projectId?: string; search?: string }): Promise<Schema<'Domain'>[]> =>
  allPages(async (page) => {
    const limit = 100
    const answer = client.GET('/api/domains', { params: { query: { ...query, page, limit } } })
    const items = await unwrap(answer)
    const total = Number((await answer).response.headers.get('X-Total-Count') ?? items.length)
    return { items, totalPages: Math.ceil(total / limit) }
  })
