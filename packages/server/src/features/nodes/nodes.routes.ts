import { Id, Message } from '@panel/contract/common'
import {
  CreateJoinCommand,
  CreateMachine,
  JoinCommand,
  JoinMachine,
  Machine,
  MachineDetails,
  MachineKey,
  MachineList,
  MachineQuery,
  RemoveMachineQuery,
  UpdateMachine
} from '@panel/contract/machines'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess, requireRole, sessionOf } from '../../http/access.ts'
import { authorizeCommand } from './authorize-command.render.ts'
import { createJoinCommand, joinMachine, joinPath } from './joining.service.ts'
import { readPanelKey } from './nodes.jobs.ts'
import {
  addMachine,
  checkedMachine,
  drainMachine,
  getMachine,
  listMachines,
  removeMachine,
  updateMachine
} from './nodes.service.ts'

const tags = ['System']
const config = { access: requireRole('ADMIN') }
const params = z.object({ id: Id })
const forbidden = 'FORBIDDEN_ROLE'

export function nodeRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/machines',
    {
      config,
      schema: {
        tags,
        operationId: 'listMachines',
        summary: 'Machines of this installation: what they have, what is used and promised, and what is wrong',
        description: 'From the last check; each machine is checked every minute.',
        errors: [forbidden],
        response: { 200: MachineList }
      }
    },
    async () => listMachines(deps)
  )
  app.get(
    '/api/machine-key',
    {
      config,
      schema: {
        tags,
        operationId: 'getMachineKey',
        summary: 'The SSH key with which the panel signs in to machines, and the command that allows it there',
        description: 'Made on the first call. The command adds the key without rights to a terminal.',
        errors: [forbidden],
        response: { 200: MachineKey }
      }
    },
    async () => {
      const publicKey = await readPanelKey(deps)
      return { publicKey, command: authorizeCommand(publicKey) }
    }
  )
  app.post(
    '/api/machines',
    {
      config,
      schema: {
        tags,
        operationId: 'addMachine',
        summary: 'Add a machine, which the panel reaches over SSH',
        description:
          'First run `command` of GET /api/machine-key  on the machine: it allows the panel’s key and prints the key of its SSH server. ' +
          'The answer has what a first check found. Projects that keep no files (`keepsFiles`) can be placed there; databases, mail and files ' +
          'stay on the machine of the panel. Traffic to an address that is not private is encrypted (`isEncrypted`), for which WireGuard must be installed ' +
          'there; `problems` has the command.',
        body: CreateMachine,
        errors: [forbidden, 'CONFLICT'],
        response: { 201: Machine }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await addMachine(deps, request, sessionOf(request).userId, request.body))
  )
  app.post(
    '/api/machine-joins',
    {
      config,
      schema: {
        tags,
        operationId: 'createJoinCommand',
        summary: 'A command with which a new Debian machine adds itself',
        description:
          'It installs the container engine, and WireGuard if its traffic may be encrypted, allows the panel’s key, and tells the panel the address, port and key of the SSH server. The package ' +
          'of the panel must be installed there as well, in the same version. 409 if the panel has no address for other machines. The command works once, for 15 minutes. Keep it secret: ' +
          'with it, any machine can be added.',
        body: CreateJoinCommand,
        errors: [forbidden, 'CONFLICT'],
        response: { 201: JoinCommand }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await createJoinCommand(deps, request, sessionOf(request).userId, request.body))
  )
  app.post(
    joinPath,
    {
      config: { access: publicAccess, rateLimited: true },
      schema: {
        tags,
        operationId: 'joinMachine',
        summary: 'Add the machine that sends this, with a token of `createJoinCommand`',
        description: 'The answer says what a first check found.',
        body: JoinMachine,
        errors: ['LINK_INVALID', 'CONFLICT'],
        response: { 201: Message }
      }
    },
    async (request, reply) => reply.code(201).send({ message: await joinMachine(deps, request, request.body) })
  )
  app.get(
    '/api/machines/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'getMachine',
        summary: 'A machine and the sites on it, each with the reason why it is there',
        description: 'Sites by name, in pages.',
        params,
        querystring: MachineQuery,
        errors: [forbidden],
        response: { 200: MachineDetails }
      }
    },
    async (request) => getMachine(deps, request.params.id, request.query)
  )
  app.patch(
    '/api/machines/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'updateMachine',
        summary: 'Rename a machine, set its labels, pause it, or change its encryption',
        description:
          'Projects go to machines that have all labels of `machineLabels`, and never to a paused one. What runs there stays until its next ' +
          'deployment. `isEncrypted` changes only while no project is on the machine, as 409 says; the answer then has what a check found.',
        params,
        body: UpdateMachine,
        errors: [forbidden, 'CONFLICT'],
        response: { 200: Machine }
      }
    },
    async (request) => updateMachine(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.post(
    '/api/machines/:id/check',
    {
      config,
      schema: {
        tags,
        operationId: 'checkMachine',
        summary: 'Check a machine now',
        description: 'Instead of within the next minute. Answers with what it found, within half a minute.',
        params,
        errors: [forbidden],
        response: { 200: Machine }
      }
    },
    async (request) => checkedMachine(deps, request.params.id)
  )
  app.post(
    '/api/machines/:id/drain',
    {
      config,
      schema: {
        tags,
        operationId: 'drainMachine',
        summary: 'Pause a machine and move what can be elsewhere',
        description:
          'For maintenance, or before it is removed. Each project is started on another machine before it ends here, so no request fails. ' +
          '`drain` of GET /api/machines/{id} says before how many projects move and how long that takes. Ends with `isPaused` false.',
        params,
        errors: [forbidden],
        response: { 200: MachineDetails }
      }
    },
    async (request) => {
      const { id } = request.params
      await drainMachine(deps, request, sessionOf(request).userId, id)
      return getMachine(deps, id, MachineQuery.parse({}))
    }
  )
  app.delete(
    '/api/machines/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'removeMachine',
        summary: 'Remove an added machine',
        description:
          'Refused while projects are on it: drain it first. Removes it from the encrypted network and closes the connection. Then remove the panel’s key from ' +
          '/root/.ssh/authorized_keys there.',
        params,
        querystring: RemoveMachineQuery,
        errors: [forbidden, 'CONFLICT'],
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      await removeMachine(deps, request, sessionOf(request).userId, request.params.id, request.query)
      return reply.code(204).send(null)
    }
  )
}
