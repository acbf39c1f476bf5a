import { unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { UsageError } from '../context.ts'
import { allPages } from '../projects.ts'
import { readSecret } from '../secret-input.ts'
import { table } from '../table.ts'
import { findDomain } from './domains.ts'

export const listMailboxes: Command = {
  name: 'mail list',
  about: 'list your mailboxes',
  example: 'mail list',
  async run({ client, print, next }) {
    const all = await allPages(async (page) => {
      const found = await unwrap(client.GET('/api/mailboxes', { params: { query: { page, limit: 100 } } }))
      return { items: found.mailboxes, totalPages: found.pagination.totalPages }
    })
    const rows = all.map(({ address, quota, enabled, usage }) => [
      ...[address, `${quota} MiB`, usage === null ? null : usage.messages, enabled ? 'yes' : 'no']
    ])
    print(all, table(['ADDRESS', 'QUOTA', 'MESSAGES', 'ENABLED'], rows))
    next('mail create <address>')
  }
}

export const createMailbox: Command = {
  name: 'mail create',
  about: 'create a mailbox; its password is read from standard input',
  args: '<address>',
  options: [['--quota <MiB>', 'size limit; default: 1024']],
  example: 'mail create ann@example.com < password.txt',
  async run(call) {
    const { client, args, options, print, next } = call
    const at = args[0]!.lastIndexOf('@')
    if (at < 1) throw new UsageError('Use the form ann@example.com')
    const quota = Number(options.quota ?? 1024)
    if (!Number.isInteger(quota)) throw new UsageError('--quota must be a number')
    const { id: domainId } = await findDomain(client, args[0]!.slice(at + 1))
    const password = await readSecret(call, `Password of ${args[0]}`)
    const body = { domainId, localPart: args[0]!.slice(0, at), password, quota }
    const mailbox = await unwrap(client.POST('/api/mailboxes', { body }))
    print(mailbox, `Created ${mailbox.address}\n`)
    next('mail list')
  }
}
