import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { Context } from './context.ts'
import { run } from './run.ts'

test('a server’s error message cannot control the terminal', async () => {
  const refusal = {
    error: 'no\u001b[2J\rpanel-cli: all is well',
    code: 'VALIDATION_ERROR',
    details: [{ path: 'a\u001b]0;b\u0007', message: 'c\u009b1A' }]
  }
  const server = createServer((_request, response) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal))
  ).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const env = { PANEL_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, PANEL_TOKEN: 't' }
  let message = ''
  const nobody = { write: () => true }
  const context = {
    env,
    cwd: '/',
    stdin: process.stdin,
    stdout: nobody,
    stderr: { write: (text: string) => (message += text) }
  }
  try {
    expect(await run(['whoami'], { ...context, signal: new AbortController().signal } satisfies Context)).toBe(1)
  } finally {
    server.close()
  }
  expect(message).toMatch(/^panel: no.{5}panel-cli: all is well \(VALIDATION_ERROR\)\n {2}a.*: c.*\n$/)
  expect(message).not.toMatch(/[\u001b\u009b\u0007\r]/)
})
