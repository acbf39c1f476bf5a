import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readProgress } from './docker-progress.ts'

test('reads endless output completely, with pauses after 16 MiB', async () => {
  const chunk = `${JSON.stringify({ stream: 'x'.repeat(64 * 1024 - 14) })}\n`
  let characters = 0
  let pauses = 0
  await readProgress(
    Readable.from(Array.from({ length: 300 }, () => Buffer.from(chunk))),
    ({ stream }) => (characters += stream!.length),
    async () => void pauses++
  )
  expect([characters, pauses]).toEqual([300 * (64 * 1024 - 14), 300 - 256])
})
