import { unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import type { SignedInCall } from '../context.ts'
import { projectOf } from '../projects.ts'
import { table } from '../table.ts'
import { findGroup } from './env-target.ts'

export const listGroups: Command = {
  name: 'env group-list',
  about: 'list your groups of variables and the projects that get them',
  example: 'env group-list',
  async run({ client, print }) {
    const { groups } = await unwrap(client.GET('/api/env-groups'))
    const rows = groups.map(({ name, variables, projects }) => [
      name,
      String(variables),
      projects.map((project) => project.name).join(', ')
    ])
    print(groups, table(['NAME', 'VARIABLES', 'PROJECTS'], rows))
  }
}

export const createGroup: Command = {
  name: 'env group-create',
  about: 'create a group of variables that projects can share',
  args: '<group>',
  example: 'env group-create shared',
  async run({ client, args, print, next }) {
    const group = await unwrap(client.POST('/api/env-groups', { body: { name: args[0]! } }))
    print(group, `Created ${group.name}\n`)
    next(`env set --group ${group.name} <name>`)
  }
}

export const deleteGroup: Command = {
  name: 'env group-delete',
  about: 'delete a group with its variables',
  args: '<group>',
  example: 'env group-delete shared',
  async run({ client, args, print }) {
    const { id, name } = await findGroup(client, args[0]!)
    const result = await unwrap(client.DELETE('/api/env-groups/{id}', { params: { path: { id } } }))
    print(result, `Deleted ${name}; running containers keep its variables until their next deployment\n`)
  }
}

export const attachGroup: Command = {
  name: 'env group-attach',
  about: 'give a project the variables of a group; its own variables and earlier groups take precedence',
  args: '[project] <group>',
  options: [['--first', 'before the other groups of the project']],
  example: 'env group-attach shop shared',
  async run(call) {
    const group = await findGroup(call.client, call.args[0]!)
    await changeGroups(call, group.id, (others) =>
      call.options.first === true ? [group.id, ...others] : [...others, group.id]
    )
  }
}

export const detachGroup: Command = {
  name: 'env group-detach',
  about: 'stop giving a project the variables of a group',
  args: '[project] <group>',
  example: 'env group-detach shop shared',
  async run(call) {
    const group = await findGroup(call.client, call.args[0]!)
    await changeGroups(call, group.id, (others) => [...others])
  }
}

async function changeGroups(
  call: SignedInCall,
  groupId: string,
  change: (others: readonly string[]) => string[]
): Promise<void> {
  const { id, name } = await projectOf(call)
  const params = { path: { id } }
  const before = await unwrap(call.client.GET('/api/projects/{id}/env-groups', { params }))
  const others = before.groups.map((group) => group.id).filter((other) => other !== groupId)
  const body = { groupIds: change(others) }
  const { groups } = await unwrap(call.client.PUT('/api/projects/{id}/env-groups', { params, body }))
  const names = groups.map((group) => group.name).join(', ')
  call.print(groups, `Groups of ${name}: ${names === '' ? 'none' : names}; takes effect on the next deployment\n`)
  call.next(`deploy ${name}`)
}
