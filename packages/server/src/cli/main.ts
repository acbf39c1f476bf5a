import { resolve } from 'node:path'
import { ConfigError } from '../config.ts'
import { messageOf } from '../text/message-of.ts'
import { followUpgrade } from '../upgrade/start-upgrade.ts'
import { readEnvironment } from './settings.ts'

const commands = {
  up: async () => (await import('./up.ts')).up,
  serve: async () => (await import('./serve.ts')).serve,
  demo: async () => (await import('./demo.ts')).demo,
  doctor: async () => (await import('./doctor.ts')).doctor,
  upgrade: async () => (await import('./upgrade.ts')).upgrade,
  restore: async () => (await import('./restore.ts')).restore,
  explain: async () => (await import('./explain.ts')).explain,
  logs: async () => (await import('./logs/logs.ts')).logs,
  support: async () => (await import('./support/support.ts')).support,
  test: async () => (await import('./testing/test.ts')).test,
  audit: async () => (await import('./audit.ts')).audit,
  user: async () => (await import('./user.ts')).user,
  dns: async () => (await import('./dns.ts')).dns,
  store: async () => (await import('./store-move.ts')).store,
  disk: async () => (await import('./disk.ts')).disk,
  firewall: async () => (await import('./server-firewall.ts')).firewall
} as const

export async function main(command: keyof typeof commands, args: readonly string[], root: string): Promise<void> {
  try {
    const env = await readEnvironment(process.env)
    const dataDirectory = resolve(env.DATA_DIR || './data')
    await followUpgrade({ dataDirectory, root, args: [command, ...args], env })
    const run = await commands[command]()
    await run({ args, root, env })
  } catch (error) {
    process.stderr.write(`panel: ${messageFor(error)}\n`)
    process.exit(1)
  }
}

function messageFor(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `${error.message}. Another program or panel uses this port. Stop it, or set PORT.`
  }
  return messageOf(error)
}
