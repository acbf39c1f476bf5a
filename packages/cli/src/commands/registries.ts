import { unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError } from '../context.ts'
import { readSecret } from '../secret-input.ts'
import { table } from '../table.ts'

export const listRegistries: Command = {
  name: 'registries list',
  about: 'list the image registries that you have credentials for',
  example: 'registries list',
  async run({ client, print, next }) {
    const { registries } = await unwrap(client.GET('/api/registries'))
    const rows = registries.map(({ host, username, updatedAt }) => [host, username, updatedAt])
    print(registries, table(['HOST', 'USER', 'SAVED'], rows))
    if (registries.length === 0) next('registries add <host> <user>')
  }
}

export const addRegistry: Command = {
  name: 'registries add',
  about: 'sign in to a registry and save the credentials; the password or token is read from standard input',
  args: '<host> <user>',
  example: 'registries add ghcr.io ann < token.txt',
  async run(call) {
    const [host, username] = call.args as [string, string]
    const secret = await readSecret(call, `Password or token of ${username} at ${host}`)
    const registry = await unwrap(call.client.PUT('/api/registries', { body: { host, username, secret } }))
    call.print(registry, `Saved the credentials for ${registry.host}\n`)
    call.next('registries list')
  }
}

export const removeRegistry: Command = {
  name: 'registries remove',
  about: 'remove the credentials for a registry; running containers stay',
  args: '<host>',
  example: 'registries remove ghcr.io',
  async run({ client, args, print }) {
    const host = args[0]!.toLowerCase()
    const { registries } = await unwrap(client.GET('/api/registries'))
    const found = registries.find((registry) => registry.host === host)
    if (!found) throw new CommandError(`You have no credentials for ${host}`)
    const removed = await unwrap(client.DELETE('/api/registries/{id}', { params: { path: { id: found.id } } }))
    print(removed, `Removed the credentials for ${host}\n`)
  }
}
