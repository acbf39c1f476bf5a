import { type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { UsageError } from '../context.ts'
import { table } from '../table.ts'
import { findDomain } from './domains.ts'

export const listRecords: Command = {
  name: 'dns list',
  about: 'list the DNS records of a domain',
  args: '<domain>',
  example: 'dns list example.com',
  async run({ client, args, print, next }) {
    const { id, hostname } = await findDomain(client, args[0]!)
    const records = await unwrap(client.GET('/api/domains/{id}/dns', { params: { path: { id } } }))
    const rows = records.map(({ id: record, type, name, value, ttl }) => [type, name, value, ttl, record])
    print(records, table(['TYPE', 'NAME', 'VALUE', 'TTL', 'ID'], rows))
    next(`dns add ${hostname} <type> <name> <value>`)
  }
}

export const addRecord: Command = {
  name: 'dns add',
  about: 'add a DNS record; the name is relative to the domain, @ is the domain itself',
  args: '<domain> <type> <name> <value>',
  options: [
    ['--ttl <seconds>', 'default: 3600'],
    ['--priority <number>', 'of MX, SRV, SVCB and HTTPS'],
    ['--weight <number>', 'of SRV'],
    ['--port <number>', 'of SRV']
  ],
  example: 'dns add example.com MX @ mail.example.com --priority 10',
  async run({ client, args, options, print, next }) {
    const [hostname, type, name, value] = args as [string, string, string, string]
    const { id } = await findDomain(client, hostname)
    const numbers = Object.fromEntries(
      ['ttl', 'priority', 'weight', 'port'].flatMap((key) =>
        options[key] === undefined ? [] : [[key, numberOf(key, String(options[key]))]]
      )
    )
    // The API checks the type and says which ones exist.
    const body = { ttl: 3600, ...numbers, type: type.toUpperCase(), name, value } as Schema<'CreateDnsRecord'>
    const record = await unwrap(client.POST('/api/domains/{id}/dns', { params: { path: { id } }, body }))
    print(record, `Added ${record.type} ${record.name}\n`)
    next(`dns list ${hostname}`)
  }
}

export const removeRecord: Command = {
  name: 'dns remove',
  about: 'delete a DNS record by its id',
  args: '<domain> <id>',
  example: 'dns remove example.com 01k5p9v2c3d4e5f6g7h8j9kmnp',
  async run({ client, args, print, next }) {
    const [hostname, recordId] = args as [string, string]
    const { id } = await findDomain(client, hostname)
    const response = client.DELETE('/api/domains/{id}/dns/{recordId}', { params: { path: { id, recordId } } })
    await unwrap<unknown>(response)
    print({ removed: recordId }, `Removed ${recordId}\n`)
    next(`dns list ${hostname}`)
  }
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new UsageError(`--${name} must be a number`)
  return Number(text)
}
