import { ConfirmFirewall, FirewallExport, FirewallState, ImportFirewall, SaveFirewall } from '@panel/contract/firewall'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRoleOrPermission, sessionOf } from '../../http/access.ts'
import { callerConnectionOf } from '../../http/caller-connection.ts'
import {
  confirmFirewall,
  exportFirewall,
  getFirewall,
  importFirewall,
  revertFirewall,
  saveFirewall
} from './firewall.service.ts'

const tags = ['System']
const config = { access: requireRoleOrPermission(['ADMIN'], 'canManageFirewall') }

const changeErrors = [
  'FORBIDDEN_ROLE',
  'CONFLICT',
  'FIREWALL_CHANGE_PENDING',
  'FIREWALL_LOCKOUT',
  'FIREWALL_SSH_LOCKOUT',
  'FIREWALL_UNAVAILABLE'
] as const
const trial =
  'Rules that change what the packet filter does are in force on trial: unless they are confirmed before `pending.deadline`, the server ' +
  'reverts them, even if the panel is killed meanwhile. Turning the firewall off, and changes to notes or disabled rules, are final at ' +
  'once. Refused if your address could no longer reach the panel (FIREWALL_LOCKOUT) or SSH (FIREWALL_SSH_LOCKOUT, unless ' +
  '`allowSshLockout`).'

export function firewallRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/firewall',
    {
      config,
      schema: {
        tags,
        operationId: 'getFirewall',
        summary: 'Firewall rules, the pending change, and the services of this server',
        description:
          'The rules decide about new connections to this server and to the ports that containers publish, over IPv4 and IPv6. Connections ' +
          'from containers of the panel and ICMP are not affected. Off by default.',
        errors: ['FORBIDDEN_ROLE'],
        response: { 200: FirewallState }
      }
    },
    async (request) => getFirewall(deps, callerConnectionOf(deps, request))
  )
  app.put(
    '/api/firewall',
    {
      config,
      schema: {
        tags,
        operationId: 'saveFirewall',
        summary: 'Replace the firewall rules',
        description: `${trial} 409 CONFLICT if \`version\` is outdated.`,
        body: SaveFirewall,
        errors: [...changeErrors],
        response: { 200: FirewallState }
      }
    },
    async (request) =>
      saveFirewall(deps, request, sessionOf(request).userId, callerConnectionOf(deps, request), request.body)
  )
  app.post(
    '/api/firewall/confirm',
    {
      config,
      schema: {
        tags,
        operationId: 'confirmFirewall',
        summary: 'Keep the pending firewall change',
        description:
          'Send it over a connection that was opened after the change, which shows that the new rules let you in; otherwise 409 ' +
          'FIREWALL_CONNECTION_OLD. 409 CONFLICT if the change is no longer pending.',
        body: ConfirmFirewall,
        errors: ['FORBIDDEN_ROLE', 'CONFLICT', 'FIREWALL_CONNECTION_OLD', 'FIREWALL_UNAVAILABLE'],
        response: { 200: FirewallState }
      }
    },
    async (request) => {
      const { userId } = sessionOf(request)
      return confirmFirewall(deps, request, userId, callerConnectionOf(deps, request), request.body.changeId)
    }
  )
  app.post(
    '/api/firewall/revert',
    {
      config,
      schema: {
        tags,
        operationId: 'revertFirewall',
        summary: 'Revert the pending firewall change now',
        description: 'The rules that were in force before it apply again. 409 CONFLICT if no change is pending.',
        errors: ['FORBIDDEN_ROLE', 'CONFLICT', 'FIREWALL_UNAVAILABLE'],
        response: { 200: FirewallState }
      }
    },
    async (request) => revertFirewall(deps, request, sessionOf(request).userId, callerConnectionOf(deps, request))
  )
  app.post(
    '/api/firewall/reconnect',
    {
      config,
      schema: {
        tags,
        operationId: 'reconnect',
        summary: 'Close the connection of this request',
        description:
          'For browsers, which choose connections themselves: the next request opens a new one. The panel’s proxy closes the connection ' +
          'without a response.',
        errors: ['FORBIDDEN_ROLE'],
        response: { 204: z.null() }
      }
    },
    async (_request, reply) => reply.header('Connection', 'close').code(204).send(null)
  )
  app.get(
    '/api/firewall/export',
    {
      config,
      schema: {
        tags,
        operationId: 'exportFirewall',
        summary: 'Export the firewall rules as a file',
        description: 'The saved rules in JSON, without a pending change. POST /api/firewall/import takes the file.',
        errors: ['FORBIDDEN_ROLE'],
        answerHeaders: ['Content-Disposition'],
        response: { 200: FirewallExport }
      }
    },
    async (_request, reply) =>
      reply.header('Content-Disposition', 'attachment; filename="firewall.json"').send(await exportFirewall(deps))
  )
  app.post(
    '/api/firewall/import',
    {
      config,
      schema: {
        tags,
        operationId: 'importFirewall',
        summary: 'Replace the firewall rules by those of an exported file',
        description: `${trial} Whether the firewall is on stays as it is.`,
        body: ImportFirewall,
        errors: [...changeErrors],
        response: { 200: FirewallState }
      }
    },
    async (request) =>
      importFirewall(deps, request, sessionOf(request).userId, callerConnectionOf(deps, request), request.body)
  )
}
