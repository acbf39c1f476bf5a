import {
  AllowedNetwork,
  AllowedNetworkList,
  AllowNetwork,
  Ban,
  BanList,
  BanQuery,
  CreateBan
} from '@panel/contract/bans'
import { Id } from '@panel/contract/common'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRoleOrPermission, sessionOf } from '../../http/access.ts'
import { callerConnectionOf } from '../../http/caller-connection.ts'
import { allowNetwork, createBan, disallowNetwork, listBans, removeBan, showAllowedNetworks } from './bans.service.ts'

const tags = ['System']
const config = { access: requireRoleOrPermission(['ADMIN'], 'canManageFirewall') }
const params = z.object({ id: Id })
const forbidden = 'FORBIDDEN_ROLE'

export function bansRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/firewall/bans',
    {
      config,
      schema: {
        tags,
        operationId: 'listBans',
        summary: 'Banned addresses, newest first',
        description:
          'Too many failed sign-ins at the panel, SSH, SFTP, SMTP, IMAP or a WordPress site ban an address from the whole server: for ' +
          '10 minutes, and after further offences for an hour, a day and a week. Loopback, the server’s own addresses, containers, trusted ' +
          'proxies, the allow list and addresses from which an administrator is signed in are never banned. The setting BANS turns bans off.',
        querystring: BanQuery,
        errors: [forbidden],
        response: { 200: BanList }
      }
    },
    async (request) => listBans(deps, request.query)
  )
  app.post(
    '/api/firewall/bans',
    {
      config,
      schema: {
        tags,
        operationId: 'createBan',
        summary: 'Ban an address',
        description: 'In force at once, also for open connections. Replaces a ban that the address already has.',
        body: CreateBan,
        errors: [forbidden, 'ADDRESS_EXEMPT', 'BANS_OFF', 'FIREWALL_UNAVAILABLE'],
        response: { 201: Ban }
      }
    },
    async (request, reply) => {
      const { userId } = sessionOf(request)
      return reply
        .code(201)
        .send(await createBan(deps, request, userId, callerConnectionOf(deps, request), request.body))
    }
  )
  app.delete(
    '/api/firewall/bans/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteBan',
        summary: 'Remove a ban',
        description: 'The address can connect at once, and its earlier offences are forgotten.',
        params,
        errors: [forbidden, 'FIREWALL_UNAVAILABLE'],
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      await removeBan(deps, request, sessionOf(request).userId, request.params.id)
      return reply.code(204).send(null)
    }
  )
  app.get(
    '/api/firewall/allow-list',
    {
      config,
      schema: {
        tags,
        operationId: 'listAllowedNetworks',
        summary: 'Networks that are never banned',
        description:
          'In addition to the server’s own addresses, its containers, trusted proxies and signed-in administrators.',
        errors: [forbidden],
        response: { 200: AllowedNetworkList }
      }
    },
    async () => showAllowedNetworks(deps)
  )
  app.post(
    '/api/firewall/allow-list',
    {
      config,
      schema: {
        tags,
        operationId: 'allowNetwork',
        summary: 'Exempt an address or network from bans',
        description: 'Also removes the bans of its addresses. It does not open ports: firewall rules apply as before.',
        body: AllowNetwork,
        errors: [forbidden, 'CONFLICT', 'FIREWALL_UNAVAILABLE'],
        response: { 201: AllowedNetwork }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await allowNetwork(deps, request, sessionOf(request).userId, request.body))
  )
  app.delete(
    '/api/firewall/allow-list/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'disallowNetwork',
        summary: 'Remove an exemption from bans',
        description: 'Failed sign-ins from its addresses count from now on.',
        params,
        errors: [forbidden],
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      await disallowNetwork(deps, request, sessionOf(request).userId, request.params.id)
      return reply.code(204).send(null)
    }
  )
}
