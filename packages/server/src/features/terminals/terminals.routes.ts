import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { terminalMessageBytes, TerminalLimits } from '@panel/contract/terminals'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { isWebSocketRequest } from '../../http/web-sockets.ts'
import { serveTerminal } from './terminal-connection.service.ts'
import { requireTerminal, showTerminalLimits } from './terminals.service.ts'

export function terminalRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/projects/:id/terminal',
    {
      config: { access: sessionAccess, scope: 'full' },
      schema: {
        tags: ['Runs'],
        operationId: 'openTerminal',
        summary: 'Open a terminal in the running container of the project (WebSocket)',
        description:
          'A WebSocket request gets status 101; any other gets the limits. Text messages are JSON, binary messages are input and output. The client sends `{"type":"start","columns":80,"rows":24}` first, with `command` for a program other than a shell, ' +
          'and `{"type":"resize","columns":…,"rows":…}` later. The server answers `{"type":"ready","windowBytes":…}`. Each side sends at most `windowBytes` that the other has not acknowledged with ' +
          '`{"type":"ack","bytes":…}`, and binary messages of at most 64 KiB. `{"type":"end","reason":…}` is the last message, with `exitCode`, or `code` and `message` if the terminal could not be opened. ' +
          'All processes of the terminal end with the connection, and the connection ends with the session or token, after TERMINAL_IDLE_SECONDS without input and output, and after TERMINAL_MAX_SECONDS.',
        params: z.object({ id: Id.meta({ description: 'The project.' }) }),
        errors: ['MALFORMED_REQUEST', 'ACCOUNT_SUSPENDED', 'RATE_LIMITED'],
        response: { 200: TerminalLimits }
      }
    },
    async (request, reply) => {
      const { userId } = sessionOf(request)
      const { id: projectId } = request.params
      const { ip, headers, session } = request
      const authorize = () => requireTerminal(deps, userId, projectId)
      await authorize()
      if (!isWebSocketRequest(request)) return showTerminalLimits(deps, userId)
      const opened = await app.webSockets.accept(request, reply, { authorize, maxMessageBytes: terminalMessageBytes })
      // Fastify must not wait for the terminal.
      void serveTerminal(deps, { origin: { ip, headers, session }, userId, projectId }, opened)
      return reply
    }
  )
}
