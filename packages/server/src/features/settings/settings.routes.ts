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
      config: { access: sessionAccess, compressed: true },
      schema: {
        tags,
        operationId: 'getSettings',
        summary: 'Get the server’s time zone; for an ADMIN also every setting with its value and source',
        description: 'Secrets are never returned, only whether they are set.',
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
        summary: 'Change the time zone and settings that need no restart',
        description:
          'All or nothing; takes effect in every process at once. Omitted settings are unchanged. A value that would prevent the panel from ' +
          'starting is rejected with the error that the start would report. Settings that the environment fixes cannot be changed (SETTING_FIXED). ' +
          'REQUIRE_ADMIN_2FA can only be enabled by an ADMIN with two-factor (ADMIN_2FA_REQUIRED). Schedules follow the new time zone ' +
          'immediately; a run that is overdue in the new time zone starts at once.',
        body: ChangeSettings,
        errors: ['FORBIDDEN_ROLE', 'ADMIN_2FA_REQUIRED', 'SETTING_FIXED'],
        response: { 200: ServerSettings }
      }
    },
    async (request) => changeSettings(deps, request, sessionOf(request).userId, request.body)
  )
}
