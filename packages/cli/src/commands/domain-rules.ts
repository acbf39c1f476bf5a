import { text } from 'node:stream/consumers'
import { type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { program, UsageError } from '../context.ts'
import { table } from '../table.ts'
import { findDomain } from './domains.ts'

type Rule = Schema<'DomainRules'>['rules'][number]

export const listRules: Command = {
  name: 'domains rules-list',
  about: 'list the rules of a domain; with --json, as domains rules-save reads them',
  args: '<hostname>',
  example: 'domains rules-list shop.example.com',
  async run({ client, args, print, next }) {
    const { id } = await findDomain(client, args[0]!)
    const saved = await unwrap(client.GET('/api/domains/{id}/rules', { params: { path: { id } } }))
    print(saved, table(['NUMBER', 'KIND', 'PATH', 'MATCH', 'SETTINGS', 'ENABLED'], saved.rules.map(rowOf)))
    next(`domains rules-test https://${args[0]!}/`)
  }
}

export const saveRules: Command = {
  name: 'domains rules-save',
  about: 'replace the rules of a domain by those from standard input',
  args: '<hostname>',
  example: 'domains rules-save shop.example.com < rules.json',
  async run({ client, args, print, next, stdin }) {
    const body = parseRules(await text(stdin))
    const { id } = await findDomain(client, args[0]!)
    const saved = await unwrap(client.PUT('/api/domains/{id}/rules', { params: { path: { id } }, body }))
    print(saved, `${saved.rules.length} rules saved\n`)
    next(`domains rules-test https://${args[0]!}/`)
  }
}

export const testRules: Command = {
  name: 'domains rules-test',
  about: 'show which rules a URL meets',
  args: '<url>',
  options: [['--address <address>', 'IP address of the visitor']],
  example: 'domains rules-test https://shop.example.com/cart',
  async run({ client, args, options, print }) {
    const url = args[0]!
    if (!URL.canParse(url)) throw new UsageError('Pass a URL such as https://shop.example.com/cart')
    const { id } = await findDomain(client, new URL(url).hostname)
    const query = { url, ...(typeof options.address === 'string' ? { address: options.address } : {}) }
    const result = await unwrap(client.GET('/api/domains/{id}/rules/test', { params: { path: { id }, query } }))
    const outcome =
      result.status === null ? `the site answers ${result.path}` : `${result.status} ${result.location ?? ''}`
    const rows = result.matches.map(({ number, kind }) => [String(number), kind])
    print(result, `${table(['RULE', 'KIND'], rows)}Result: ${outcome.trim()}\n`)
  }
}

/** The server validates the rules. */
function parseRules(json: string): Schema<'SaveDomainRules'> {
  try {
    return JSON.parse(json) as Schema<'SaveDomainRules'>
  } catch (cause) {
    throw new UsageError(`Pass rules as JSON on standard input, as ${program} domains rules-list --json prints them`, {
      cause
    })
  }
}

function rowOf(rule: Rule, index: number): string[] {
  const { kind, path, match, enabled, id: _id, note: _note, ...settings } = rule
  const words = Object.entries(settings).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return [String(index + 1), kind, path, match, words.join(' '), enabled ? 'yes' : 'no']
}
