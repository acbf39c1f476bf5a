import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Context } from './context.ts'

/** Reads stdin, or a line typed without echo. Never from arguments, which all users of the machine can read. */
export async function readSecret({ stdin, stderr, signal }: Context, what: string): Promise<string> {
  if (!stdin.isTTY) return (await text(stdin)).replace(/\r?\n$/, '')
  stderr.write(`${what}: `)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true })
  try {
    return await lines.question('', { signal })
  } finally {
    lines.close()
    stderr.write('\n')
  }
}
