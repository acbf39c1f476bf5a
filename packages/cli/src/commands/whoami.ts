import { unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { facts } from '../table.ts'

export const whoami: Command = {
  name: 'whoami',
  about: 'show the account of the token',
  example: 'whoami --json',
  async run({ client, url, print, next }) {
    const user = await unwrap(client.GET('/api/auth/me'))
    const { name, email, role, id } = user
    print(user, facts({ name, email, role, id, panel: url }))
    next('projects')
  }
}
