import type { Command } from '../command.ts'
import { allProjects } from '../projects.ts'
import { table } from '../table.ts'

export const projects: Command = {
  name: 'projects',
  about: 'list your projects',
  example: 'projects',
  async run({ client, print, next }) {
    const all = await allProjects(client)
    const rows = all.map(({ name, type, status, asleepSince, containerStatus, deployedDomain }) => [
      ...[name, type, asleepSince === null ? status : 'SLEEPING', containerStatus, deployedDomain]
    ])
    print(all, table(['NAME', 'TYPE', 'STATUS', 'CONTAINER', 'SERVED AT'], rows))
    next(all.length === 0 ? 'create <name>' : 'link <project>')
  }
}
