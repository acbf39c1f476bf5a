import { unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError, UsageError } from '../context.ts'
import { projectOf } from '../projects.ts'
import { table } from '../table.ts'

export const listPorts: Command = {
  name: 'ports list',
  about: 'list the published TCP ports of a project',
  args: '[project]',
  example: 'ports list broker',
  async run(call) {
    const project = await projectOf(call)
    const params = { path: { id: project.id } }
    const list = await unwrap(call.client.GET('/api/projects/{id}/tcp-ports', { params }))
    const rows = list.ports.flatMap(({ kind, containerPort, addresses, isOpen }) =>
      (addresses.length > 0 ? addresses : ['-']).map((address) => [
        ...[address, kind, String(containerPort), isOpen ? 'yes' : 'no']
      ])
    )
    call.print(list, table(['ADDRESS', 'KIND', 'CONTAINER PORT', 'OPEN'], rows))
    if (rows.length === 0) call.next(`ports add ${project.name} <container port>`)
  }
}

export const addPort: Command = {
  name: 'ports add',
  about: 'publish a port of the container for what is not HTTP',
  args: '[project] <container port>',
  options: [
    ['--port <port>', 'a certain free port of the server; default: any free one'],
    ['--tls', 'by TLS name: the server ends TLS, and a domain of the project chooses it']
  ],
  example: 'ports add broker 1883',
  async run(call) {
    const { client, args, options, print, next } = call
    const { id, name } = await projectOf(call)
    const body = {
      kind: options.tls === true ? ('TLS' as const) : ('PORT' as const),
      containerPort: portOf(args[0]!),
      ...(options.port === undefined ? {} : { publishedPort: portOf(options.port) })
    }
    const port = await unwrap(client.POST('/api/projects/{id}/tcp-ports', { params: { path: { id } }, body }))
    print(port, `${port.addresses.join(', ')} reaches port ${port.containerPort} of ${name}\n`)
    next(`ports list ${name}`)
  }
}

export const removePort: Command = {
  name: 'ports remove',
  about: 'close a published TCP port',
  args: '[project] <port or tls>',
  example: 'ports remove broker 20001',
  async run(call) {
    const { client, args, print } = call
    const { id, name } = await projectOf(call)
    const wanted = args[0]!.toLowerCase()
    const { ports } = await unwrap(client.GET('/api/projects/{id}/tcp-ports', { params: { path: { id } } }))
    const port = ports.find(({ kind, publishedPort }) =>
      kind === 'TLS' ? wanted === 'tls' : wanted === `${publishedPort}`
    )
    if (!port) throw new CommandError(`${name} does not publish ${args[0]}`)
    const params = { path: { id, portId: port.id } }
    const removed = await unwrap(client.DELETE('/api/projects/{id}/tcp-ports/{portId}', { params }))
    print(removed, `Removed ${wanted}. Connections that are open stay until they end.\n`)
  }
}

function portOf(given: string | boolean): number {
  const value = Number(given)
  if (!(Number.isInteger(value) && value >= 1 && value <= 65_535))
    throw new UsageError('A port must be a whole number from 1 to 65535')
  return value
}
