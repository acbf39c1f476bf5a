import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { failUnlessOk } from '../api-response.ts'
import type { Command } from '../command.ts'
import { type SignedInCall, UsageError } from '../context.ts'
import { printableLog } from '../table.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export const api: Command = {
  name: 'api',
  about: 'send any request to the API and print the answer; see /api/docs of the panel',
  args: '<method> <path>',
  options: [['--input <file>', 'JSON body from a file, or - for standard input']],
  example: 'api GET /api/projects?limit=5',
  async run(call) {
    const method = call.args[0]!.toUpperCase()
    const path = call.args[1]!
    if (!methods.includes(method)) throw new UsageError(`The method must be one of ${methods.join(', ')}`)
    if (!path.startsWith('/api/')) throw new UsageError('The path must start with /api/')
    const body = await bodyOf(call)
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const response = await call.send(path, { method, headers, ...(body === undefined ? {} : { body }) })
    await failUnlessOk(response)
    const answer = await response.text()
    call.stdout.write(indented(answer))
    call.next(method === 'GET' ? 'api GET /api/openapi.json' : `api GET ${path}`)
  }
}

async function bodyOf({ options: { input }, stdin, cwd }: SignedInCall): Promise<string | undefined> {
  if (typeof input !== 'string') return undefined
  return input === '-' ? text(stdin) : readFile(resolve(cwd, input), 'utf8')
}

function indented(answer: string): string {
  try {
    return `${JSON.stringify(JSON.parse(answer), null, 2)}\n`
  } catch {
    return printableLog(answer)
  }
}
