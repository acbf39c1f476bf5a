import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import { CreateTcpPort, TcpPort, TcpPortList } from '@panel/contract/tcp-ports'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { publishTcpPort, removeTcpPort, showTcpPorts } from './tcp-ports.service.ts'

const config = { access: sessionAccess }
const tags = ['TCP ports']
const params = z.object({ id: Id.meta({ description: 'The project.' }) })
const base = '/api/projects/:id/tcp-ports'

export function tcpPortRoutes(app: App, deps: Dependencies): void {
  app.get(
    base,
    {
      config,
      schema: {
        tags,
        operationId: 'listTcpPorts',
        summary: 'List the published TCP ports of a project',
        description: 'With the ports that this server has for them.',
        params,
        response: { 200: TcpPortList }
      }
    },
    async (request) => showTcpPorts(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    base,
    {
      config,
      schema: {
        tags,
        operationId: 'publishTcpPort',
        summary: 'Publish a TCP port',
        description:
          'For what is not HTTP, such as MQTT or SSH. Takes effect at once, without a deployment. Of several instances, connections reach the first one. New ' +
          'connections reach a new release when it goes live; open ones stay with the previous one until it stops.',
        params,
        body: CreateTcpPort,
        errors: ['ACCOUNT_SUSPENDED', 'CONFLICT', 'PORTS_EXHAUSTED', 'QUOTA_EXCEEDED'],
        response: { 201: TcpPort }
      }
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(await publishTcpPort(deps, request, sessionOf(request).userId, request.params.id, request.body))
  )
  app.delete(
    `${base}/:portId`,
    {
      config,
      schema: {
        tags,
        operationId: 'removeTcpPort',
        summary: 'Remove a published TCP port',
        description: 'New connections are refused at once. Open ones stay until they end.',
        params: params.extend({ portId: Id }),
        errors: ['ACCOUNT_SUSPENDED'],
        response: { 200: Message }
      }
    },
    async (request) => {
      const { id: projectId, portId } = request.params
      await removeTcpPort(deps, request, sessionOf(request).userId, { projectId, portId })
      return { message: 'TCP port removed' }
    }
  )
}
