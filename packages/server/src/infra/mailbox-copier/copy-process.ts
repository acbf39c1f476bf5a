/** Sandboxed: reaches the source and our server only through two sockets. Each output line is acknowledged. */
import { createInterface } from 'node:readline'
import { copyMailbox } from './copy-mailbox.ts'
import type { CopyLine, CopyOrder } from './copy-protocol.ts'

const input = createInterface({ input: process.stdin })
const lines = input[Symbol.asyncIterator]()
// The parent is gone, so progress would not be recorded.
input.once('close', () => process.exit(1))

const next = async (): Promise<string> => (await lines.next()).value as string

async function say(line: CopyLine): Promise<void> {
  process.stdout.write(`${JSON.stringify(line)}\n`)
  await next()
}

const order = JSON.parse(await next()) as CopyOrder
await say({ type: 'outcome', ...(await copyMailbox(order, say)) })
process.exit(0)
