import { Id } from '@panel/contract/common'
import { MachineDetails, MachineQuery } from '@panel/contract/machines'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole, sessionOf } from '../../http/access.ts'
import { getMachine } from '../nodes/nodes.service.ts'
import { startUpgrade } from './machine-upgrades.service.ts'

export function machineUpgradeRoutes(app: App, deps: Dependencies): void {
  app.post(
    '/api/machines/:id/upgrade',
    {
      config: { access: requireRole('ADMIN') },
      schema: {
        tags: ['System'],
        operationId: 'upgradeMachine',
        summary:
          'Upgrade what the panel needs on an added machine, without a failed request for projects that can move',
        description:
          'Drains the machine, copies the panel to it if it has another version, upgrades the Debian packages that the panel uses (container engine, HAProxy, ' +
          'nftables, OpenSSH, WireGuard), checks the machine, resumes it, and moves back the projects that have one instance. `drain` of GET /api/machines/{id} says ' +
          'before how many projects move; those that stay may not answer while the container engine restarts. `upgrade` of the machine has the step, and why it stopped: ' +
          'the machine then stays drained, and this repeats the upgrade. Ends with `isPaused` false. One machine at a time.',
        params: z.object({ id: Id }),
        errors: ['FORBIDDEN_ROLE', 'CONFLICT'],
        response: { 202: MachineDetails }
      }
    },
    async (request, reply) => {
      const { id } = request.params
      await startUpgrade(deps, request, sessionOf(request).userId, id)
      return reply.code(202).send(await getMachine(deps, id, MachineQuery.parse({})))
    }
  )
}
