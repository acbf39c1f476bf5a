import { ChangeSettings, ServerSettings } from '@panel/contract/settings'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole, sessionAccess, sessionOf } from '../../http/access.ts'
import { changeSettings, getSettings } from './settings.service.ts'

const tags = ['System']

export function settingsRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/system/settings',
    {
      config: { access: sessionAccess },
      schema: {
        tags,
        operationId: 'getSettings',
        summary: 'The server’s time zone; for an ADMIN every variable with its value and where it comes from',
        description: 'Values of secrets are never told, only whether they are set.',
        errors: ['ACCOUNT_SUSPENDED'],
        response: { 200: ServerSettings }
      }
    },
    async (request) => getSettings(deps, sessionOf(request).userId)
  )
  app.put(
    '/api/system/settings',
    {
      config: { access: requireRole('ADMIN') },
      schema: {
        tags,
        operationId: 'changeSettings',
        summary: 'Change the time zone, and variables that take no restart',
        description:
          'All or nothing, and at once in every process; members that are left out stay. A value that would keep the panel from starting ' +
          'is refused by the sentence that the start would say, and so is one that the environment has set (SETTING_FIXED), which wins. ' +
          'REQUIRE_ADMIN_2FA is turned on by an ADMIN who has two-factor (ADMIN_2FA_REQUIRED). Schedules by the clock follow the time zone from ' +
          'then on; a run that lies between its last one and now by the new clock is made up for at once.',
        body: ChangeSettings,
        errors: ['FORBIDDEN_ROLE', 'ADMIN_2FA_REQUIRED', 'SETTING_FIXED'],
        response: { 200: ServerSettings }
      }
    },
    async (request) => changeSettings(deps, request, sessionOf(request).userId, request.body)
  )
}
