import { z } from 'zod'
import { Id } from '@panel/contract/common'
import {
  SignInToWordpress,
  UpdateWordpress,
  WordpressCoreChanges,
  WordpressDebugLog,
  WordpressLogin,
  WordpressPassword,
  WordpressReplacement,
  WordpressSettings,
  WordpressSettingsNow,
  WordpressSignIn,
  WordpressState,
  WordpressTask,
  WordpressTasks
} from '@panel/contract/wordpress-care'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { listCoreChanges } from './core-changes.service.ts'
import { resetPassword, signInToSite } from './site-access.service.ts'
import { changeSettings, getDebugLog } from './site-settings.service.ts'
import { getSiteState } from './site-state.service.ts'
import { getTask, getTasks, requestReplacement, requestUpdates } from './task-request.service.ts'

const config = { access: sessionAccess }
const full = { ...config, scope: 'full' } as const
const tags = ['WordPress']
const params = z.object({ id: Id })
const taskParams = z.object({ id: Id, taskId: Id })
const userParams = z.object({ id: Id, login: WordpressLogin })
export const siteErrors = ['CONFLICT', 'NOT_WORDPRESS', 'CONTAINER_ENGINE_UNAVAILABLE', 'BUSY'] as const
const fileErrors = ['NOT_WORDPRESS', 'FILES_UNAVAILABLE', 'SFTP_UNAVAILABLE', 'DISK_FULL'] as const
/** Of routes that start a task. */
export const untilTheEnd =
  'Answers at once: the task is finished when its `status` is not RUNNING. One change to a site runs at a time (409 CONFLICT). '

export async function wordpressCareRoutes(app: App, deps: Dependencies): Promise<void> {
  app.get(
    '/api/projects/:id/wordpress',
    {
      config,
      schema: {
        tags,
        operationId: 'getWordpress',
        summary: 'Get versions, updates and state of a site',
        description:
          'Versions and updates are what WordPress itself knows; it looks for updates twice a day. They are the claims of the site’s own code.',
        params,
        errors: [...siteErrors, ...fileErrors],
        response: { 200: WordpressState }
      }
    },
    async (request) => getSiteState(deps, sessionOf(request).userId, request.params.id)
  )
  app.put(
    '/api/projects/:id/wordpress/settings',
    {
      config: full,
      schema: {
        tags,
        operationId: 'changeWordpressSettings',
        summary: 'Change automatic updates, maintenance mode or debug log',
        description: 'What is omitted stays. Maintenance mode cannot change during an update (409 CONFLICT).',
        params,
        body: WordpressSettings,
        errors: ['CONFLICT', ...fileErrors],
        response: { 200: WordpressSettingsNow }
      }
    },
    async (request) => changeSettings(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.get(
    '/api/projects/:id/wordpress/debug-log',
    {
      config: full,
      schema: {
        tags,
        operationId: 'getWordpressDebugLog',
        summary: 'Get the end of wp-content/debug.log',
        description: 'Empty if there is none. Turn it on with `debugLog` of the settings.',
        params,
        errors: fileErrors,
        response: { 200: WordpressDebugLog }
      }
    },
    async (request) => getDebugLog(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    '/api/projects/:id/wordpress/updates',
    {
      config: full,
      schema: {
        tags,
        operationId: 'updateWordpress',
        summary: 'Update WordPress, plugins and themes',
        description:
          `${untilTheEnd}Files and database are saved first, and visitors see WordPress’ maintenance page meanwhile. If the front page, ` +
          'wp-login.php or wp-admin then answers with another status or a fatal error, everything is restored (ROLLED_BACK).',
        params,
        body: UpdateWordpress,
        errors: siteErrors,
        response: { 202: WordpressTask }
      }
    },
    async (request, reply) => {
      const { userId } = sessionOf(request)
      return reply.code(202).send(await requestUpdates(deps, request, userId, request.params.id, request.body))
    }
  )
  app.post(
    '/api/projects/:id/wordpress/replacements',
    {
      config: full,
      schema: {
        tags,
        operationId: 'replaceInWordpress',
        summary: 'Search and replace in the database of a site',
        description:
          `${untilTheEnd}Replaces the exact text in all tables of the site, also inside serialized values; the column \`guid\` stays. ` +
          'With `dryRun`, the default, it only counts. Otherwise the database is saved first, and restored if the change fails.',
        params,
        body: WordpressReplacement,
        errors: ['CONFLICT', 'NOT_WORDPRESS'],
        response: { 202: WordpressTask }
      }
    },
    async (request, reply) => {
      const { userId } = sessionOf(request)
      return reply.code(202).send(await requestReplacement(deps, request, userId, request.params.id, request.body))
    }
  )
  app.get(
    '/api/projects/:id/wordpress/tasks',
    {
      config,
      schema: {
        tags,
        operationId: 'listWordpressTasks',
        summary: 'List updates, replacements, copies and undos',
        description: 'The latest 20, newest first.',
        params,
        response: { 200: WordpressTasks }
      }
    },
    async (request) => getTasks(deps, sessionOf(request).userId, request.params.id)
  )
  app.get(
    '/api/projects/:id/wordpress/tasks/:taskId',
    {
      config,
      schema: {
        tags,
        operationId: 'getWordpressTask',
        summary: 'Get a task of a site',
        description: 'Finished when `status` is not RUNNING.',
        params: taskParams,
        response: { 200: WordpressTask }
      }
    },
    async (request) => getTask(deps, sessionOf(request).userId, request.params.id, request.params.taskId)
  )
  app.post(
    '/api/projects/:id/wordpress/sign-in',
    {
      config: full,
      schema: {
        tags,
        operationId: 'signInToWordpress',
        summary: 'Create a sign-in link for wp-admin',
        description:
          'The link works once, within 60 seconds. 404 if WordPress does not have the user; 409 CONFLICT if the site does not run, or has not been ' +
          'deployed since the panel supports this.',
        params,
        body: SignInToWordpress,
        errors: siteErrors,
        response: { 200: WordpressSignIn }
      }
    },
    async (request) => signInToSite(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.post(
    '/api/projects/:id/wordpress/users/:login/password',
    {
      config: full,
      schema: {
        tags,
        operationId: 'resetWordpressPassword',
        summary: 'Reset the password of a WordPress user',
        description: 'Responds with the new password, which is shown only once, and ends the sessions of the user.',
        params: userParams,
        errors: siteErrors,
        response: { 200: WordpressPassword }
      }
    },
    async (request) => {
      const { id, login } = request.params
      return resetPassword(deps, request, sessionOf(request).userId, id, login)
    }
  )
  app.get(
    '/api/projects/:id/wordpress/core-changes',
    {
      config,
      schema: {
        tags,
        operationId: 'listWordpressCoreChanges',
        summary: 'Compare the files of the core with the originals',
        description:
          'Lists changed, missing and additional files of wp-admin, wp-includes and the PHP files at the top. Compares with the core of ' +
          'the image if it has the same version, otherwise with the checksums of wordpress.org.',
        params,
        errors: siteErrors,
        response: { 200: WordpressCoreChanges }
      }
    },
    async (request) => listCoreChanges(deps, sessionOf(request).userId, request.params.id)
  )
}
