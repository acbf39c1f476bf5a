import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import { Autoreply, SetAutoreply } from '@panel/contract/mailboxes'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { getAutoreply, removeAutoreply, setAutoreply } from './autoreply.service.ts'

const config = { access: sessionAccess }
const changeConfig = { ...config, admission: 'apart' } as const
const tags = ['Mail']
const params = z.object({ id: Id })

export function autoreplyRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mailboxes/:id/autoreply',
    {
      config,
      schema: {
        tags,
        operationId: 'getAutoreply',
        summary: 'Show the autoreply of a mailbox; 404 if there is none',
        params,
        response: { 200: Autoreply }
      }
    },
    async (request) => getAutoreply(deps, sessionOf(request).userId, request.params.id)
  )
  app.put(
    '/api/mailboxes/:id/autoreply',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'setAutoreply',
        summary: 'Set the autoreply of a mailbox',
        description:
          'Each sender is answered once a day, between `from` and `until`. Mailing lists, automatic mail and mail that does not name the mailbox ' +
          'in To or Cc are not answered.',
        params,
        body: SetAutoreply,
        response: { 200: Autoreply }
      }
    },
    async (request) => setAutoreply(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.delete(
    '/api/mailboxes/:id/autoreply',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'removeAutoreply',
        summary: 'Remove the autoreply of a mailbox',
        params,
        response: { 200: Message }
      }
    },
    async (request) => {
      await removeAutoreply(deps, request, sessionOf(request).userId, request.params.id)
      return { message: 'Autoreply removed' }
    }
  )
}
