import { unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { UsageError } from '../context.ts'
import { projectOf } from '../projects.ts'
import { table } from '../table.ts'

const mebibyte = 2 ** 20

export const listVolumes: Command = {
  name: 'volumes list',
  about: 'list the volumes of a project',
  args: '[project]',
  example: 'volumes list shop',
  async run(call) {
    const project = await projectOf(call)
    const params = { path: { id: project.id } }
    const { volumes } = await unwrap(call.client.GET('/api/projects/{id}/volumes', { params }))
    const rows = volumes.map(({ name, path, sizeMb, usedBytes, isMounted }) => [
      ...[name, path, `${Math.round(usedBytes / mebibyte)} MiB`, `${sizeMb} MiB`, isMounted ? 'yes' : 'no']
    ])
    call.print(volumes, table(['NAME', 'PATH', 'USED', 'SIZE', 'MOUNTED'], rows))
    if (volumes.length === 0) call.next(`volumes create ${project.name} <name> <path>`)
  }
}

export const createVolume: Command = {
  name: 'volumes create',
  about: 'keep a folder of the container over deployments; needs no build',
  args: '[project] <name> <path>',
  options: [
    ['--size <MiB>', 'default: 1024'],
    ['--over-code', 'also over the folder of the application, whose files then stay those of the first release']
  ],
  example: 'volumes create shop uploads /app/uploads',
  async run(call) {
    const { client, args, options, print, next } = call
    const { id, name: project } = await projectOf(call)
    const [name, path] = args as [string, string]
    const body = {
      name,
      path,
      sizeMb: options.size === undefined ? 1024 : mebibytesOf(options.size),
      overCode: options.overCode === true
    }
    const volume = await unwrap(client.POST('/api/projects/{id}/volumes', { params: { path: { id } }, body }))
    print(volume, `Created ${volume.name} at ${volume.path}. Running containers are replaced by ones with it.\n`)
    next(`volumes list ${project}`)
  }
}

export const resizeVolume: Command = {
  name: 'volumes resize',
  about: 'change the size of a volume',
  args: '[project] <name> <MiB>',
  example: 'volumes resize shop uploads 2048',
  async run(call) {
    const { client, args, print, next } = call
    const { id, name: project } = await projectOf(call)
    const [name, size] = args as [string, string]
    const params = { path: { id, name } }
    const body = { sizeMb: mebibytesOf(size) }
    const volume = await unwrap(client.PATCH('/api/projects/{id}/volumes/{name}', { params, body }))
    print(volume, `${volume.name} has ${volume.sizeMb} MiB\n`)
    next(`volumes list ${project}`)
  }
}

export const deleteVolume: Command = {
  name: 'volumes delete',
  about: 'delete a volume and its files',
  args: '[project] <name>',
  options: [['--confirm <name>', 'the name of the volume again, because its files are lost']],
  example: 'volumes delete shop uploads --confirm uploads',
  async run(call) {
    const { client, args, options, print } = call
    const name = args[0]!
    if (options.confirm !== name)
      throw new UsageError(`This deletes all files of ${name}. Repeat its name: --confirm ${name}`)
    const { id } = await projectOf(call)
    const params = { path: { id, name } }
    const deleted = await unwrap(client.DELETE('/api/projects/{id}/volumes/{name}', { params, body: { name } }))
    print(deleted, `Deleted ${name}\n`)
  }
}

function mebibytesOf(given: string | boolean): number {
  const value = Number(given)
  if (!(Number.isInteger(value) && value > 0)) throw new UsageError('The size must be a whole number of MiB above 0')
  return value
}
