import { type Client, type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError, program } from '../context.ts'
import { findLink } from '../link.ts'
import { allPages, findProject, projectNames } from '../projects.ts'
import { table } from '../table.ts'

export const listDomains: Command = {
  name: 'domains list',
  about: 'list your domains',
  options: [['-p, --project <project>', 'only those of a project']],
  example: 'domains list --project shop',
  async run({ client, project, print, next }) {
    const query = project === undefined ? {} : { projectId: (await findProject(client, project)).id }
    const all = await domainsOf(client, query)
    const nameOf = await projectNames(client)
    const rows = all.map(({ hostname, status, dnsMode, sslEnabled, projectId: target }) => [
      ...[hostname, status, dnsMode, sslEnabled ? 'yes' : 'no', nameOf(target)]
    ])
    print(all, table(['HOSTNAME', 'STATUS', 'DNS', 'HTTPS', 'PROJECT'], rows))
    next('domains add <hostname>')
  }
}

export const addDomain: Command = {
  name: 'domains add',
  about: 'add a domain and show the DNS records that verify it',
  args: '<hostname>',
  options: [['-p, --project <project>', 'project that it serves; default: the project of this folder']],
  example: 'domains add shop.example.com --project shop',
  async run({ client, args, cwd, project, url, print, next }) {
    const link = project === undefined ? await findLink(cwd) : undefined
    const wanted = project ?? (link?.url === url ? link.projectId : undefined)
    const target = wanted === undefined ? {} : { projectId: (await findProject(client, wanted)).id }
    const domain = await unwrap(client.POST('/api/domains', { body: { hostname: args[0]!, ...target } }))
    const instructions = domain.verificationInstructions
    const text = instructions ? recordsText(domain.hostname, instructions) : `${domain.hostname} is ${domain.status}\n`
    print(domain, text)
    next(instructions ? `domains verify ${domain.hostname}` : `dns list ${domain.hostname}`)
  }
}

function recordsText(hostname: string, instructions: Schema<'VerificationInstructions'>): string {
  const { recordType, recordName, recordValue, routingRecord } = instructions
  const records = [
    [recordType, recordName, recordValue],
    [routingRecord.recordType, routingRecord.recordName, routingRecord.publicIp]
  ]
  return `Add these records to the DNS of ${hostname}\n\n${table(['TYPE', 'NAME', 'VALUE'], records)}`
}

export const verifyDomain: Command = {
  name: 'domains verify',
  about: 'check the verification record',
  args: '<hostname>',
  example: 'domains verify shop.example.com',
  async run({ client, args, print, next }) {
    const domain = await findDomain(client, args[0]!)
    const result = await unwrap(client.POST('/api/domains/{id}/verify', { params: { path: { id: domain.id } } }))
    print(result, result.verified ? `${domain.hostname} is verified\n` : '')
    if (!result.verified) throw new CommandError(result.message)
    next(`dns list ${domain.hostname}`)
  }
}

export async function findDomain(client: Client, hostname: string): Promise<Schema<'Domain'>> {
  const found = await domainsOf(client, { search: hostname.slice(0, 253) })
  const domain = found.find((each) => each.hostname === hostname)
  if (!domain)
    throw new CommandError(`Domain "${hostname}" not found. Run ${program} domains list to list your domains`)
  return domain
}

const domainsOf = (client: Client, query: { projectId?: string; search?: string }): Promise<Schema<'Domain'>[]> =>
  allPages(async (page) => {
    const limit = 100
    const answer = client.GET('/api/domains', { params: { query: { ...query, page, limit } } })
    const items = await unwrap(answer)
    const total = Number((await answer).response.headers.get('X-Total-Count') ?? items.length)
    return { items, totalPages: Math.ceil(total / limit) }
  })
