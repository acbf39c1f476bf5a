import { unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { encryptionOf, encryptionOptions } from './machines.ts'

export const joinMachine: Command = {
  name: 'machines join',
  about: 'print a command with which a new Debian machine adds itself; run it there as root',
  args: '<name>',
  options: [
    ['--address <address>', 'at which the panel reaches the machine; default: the one that its request comes from'],
    ...encryptionOptions
  ],
  example: 'machines join m2',
  async run({ client, args, options, print, next }) {
    const { address } = options
    const body = { name: args[0]!, host: typeof address === 'string' ? address : null, ...encryptionOf(options) }
    const join = await unwrap(client.POST('/api/machine-joins', { body }))
    print(join, `${join.command}\n`)
    next(`machines show ${args[0]!}`)
  }
}
