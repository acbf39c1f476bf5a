import type { MailboxUsage } from './mail-server.ts'

/** Parses `doveadm -f tab quota get`: one line per mailbox and quota type, sizes in KiB. */
export function parseQuota(text: string, requested: readonly string[]): Map<string, MailboxUsage> {
  const wanted = new Set(requested)
  const usage = new Map<string, MailboxUsage>()
  const [header = '', ...lines] = text.split('\n')
  const names = header.split('\t').map((name) => name.toLowerCase())
  const [user, type, value] = [names.indexOf('username'), names.indexOf('type'), names.indexOf('value')]
  for (const line of lines) {
    const fields = line.split('\t')
    const address = fields[user] ?? ''
    const count = Number(fields[value])
    if (!wanted.has(address) || !Number.isSafeInteger(count)) continue
    const known = usage.get(address) ?? { bytes: 0, messages: 0 }
    if (fields[type] === 'STORAGE') usage.set(address, { ...known, bytes: count * 1024 })
    if (fields[type] === 'MESSAGE') usage.set(address, { ...known, messages: count })
  }
  return usage
}

export const parseWho = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .slice(1)
      .flatMap((line) => line.split('\t')[0] || [])
  )
]
