import { ConfigError } from '../config.ts'
import { messageOf } from '../errors.ts'
import { audit } from './audit.ts'
import { demo } from './demo.ts'
import { dns } from './dns.ts'
import { doctor } from './doctor.ts'
import { serve } from './serve.ts'
import { test } from './test.ts'
import { up } from './up.ts'
import { user } from './user.ts'

const commands = { up, serve, demo, doctor, test, audit, user, dns } as const

/** Runs one command of `./panel`. `root` is the checkout. */
export async function main(command: keyof typeof commands, args: readonly string[], root: string): Promise<void> {
  try {
    await commands[command]({ args, root, env: process.env })
  } catch (error) {
    process.stderr.write(`panel: ${explain(error)}\n`)
    process.exit(1)
  }
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `${error.message}. Another program, or another panel, listens there; stop it or set PORT.`
  }
  return messageOf(error)
}
