import { unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError } from '../context.ts'
import { table } from '../table.ts'

export const explain: Command = {
  name: 'explain',
  about: 'find out why a site of yours does not answer',
  args: '<hostname>',
  example: 'explain shop.example.com',
  async run({ client, args, print, next }) {
    const explanation = await unwrap(client.GET('/api/system/explain', { params: { query: { host: args[0]! } } }))
    const { hostname, cause, steps, log, projectId } = explanation
    const rows = steps.map(({ step, status, message }) => [step, status, message])
    const lines = log.length > 0 ? `\n${log.join('\n')}\n` : ''
    print(explanation, `${table(['STEP', 'STATUS', 'WHAT WAS SEEN'], rows)}${lines}`)
    next(projectId === null ? 'domains list' : `${cause === null ? 'status' : 'logs'} ${projectId}`)
    if (cause !== null) throw new CommandError(`${hostname} does not answer properly: ${cause}`)
  }
}
