import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import {
  EnvChanges,
  EnvFileText,
  EnvKey,
  EnvVar,
  EnvVarList,
  EnvVarsImported,
  EnvVarWritten,
  ImportEnv,
  PreviewEnv,
  RevealedEnvVar,
  SetEnvVars
} from '@panel/contract/env-vars'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { recordAuditAlone } from '../audit/recording.service.ts'
import { requireFreshProofUnlessToken } from '../sessions/fresh-proof.policy.ts'
import { importEnvFile, previewEnvFile } from './env-import.service.ts'
import { placeOf } from './env-vars-writing.service.ts'
import { previewChanges } from './env-preview.service.ts'
import type { Holder } from './holder.types.ts'
import { exportEnvFile, listMasked, removeEnvVar, revealEnvVar, setEnvVars } from './env-vars.service.ts'

const config = { access: sessionAccess }
const tags = ['Environment variables']
const params = z.object({ id: Id })
const keyParams = z.object({ id: Id, key: EnvKey })
// 500 values of 64 KiB are more than any container accepts; a large import still fits.
const bodyLimit = 8 * 1024 * 1024

interface Place {
  at: '/api/projects/:id/env' | '/api/env-groups/:id/env'
  /** Replaces `Env` in the names of operations. */
  prefix: string
  of: string
  holder(id: string): Holder
}

/** A project and a group have the same routes. */
const places: readonly Place[] = [
  { at: '/api/projects/:id/env', prefix: 'Env', of: '', holder: (projectId) => ({ projectId }) },
  { at: '/api/env-groups/:id/env', prefix: 'EnvGroup', of: ' of a group', holder: (groupId) => ({ groupId }) }
]

export function envVarRoutes(app: App, deps: Dependencies): void {
  for (const place of places) addRoutes(app, deps, place)
}

function addRoutes(app: App, deps: Dependencies, { at, prefix, of, holder }: Place): void {
  const named = (name: string) => name.replace('Env', prefix)
  app.get(
    at,
    {
      config,
      schema: {
        tags,
        operationId: named('listEnvVars'),
        summary: `List variables${of} with masked values`,
        description: 'Does not return values; use `reveal` to read one.',
        params,
        response: { 200: EnvVarList }
      }
    },
    async (request) => ({ variables: await listMasked(deps, sessionOf(request).userId, holder(request.params.id)) })
  )
  app.get(
    `${at}/:key/reveal`,
    {
      // A read-only token is shared more freely than secrets should be.
      config: { ...config, scope: 'full' },
      schema: {
        tags,
        operationId: named('revealEnvVar'),
        summary: `Reveal one value${of}; audited`,
        description:
          'Requires a session with a confirmed identity (`confirmIdentity`), or a token with the scope `full`.',
        params: keyParams,
        errors: ['FRESH_AUTH_REQUIRED'],
        response: { 200: RevealedEnvVar }
      }
    },
    async (request) => {
      const session = sessionOf(request)
      const { userId } = session
      requireFreshProofUnlessToken(session, deps.now())
      const variable = await revealEnvVar(deps, userId, holder(request.params.id), request.params.key)
      await recordAuditAlone(deps, request, { action: 'env_var.revealed', actorId: userId, targetId: variable.id })
      return variable
    }
  )
  app.post(
    at,
    {
      config,
      bodyLimit,
      schema: {
        tags,
        operationId: named('setEnvVars'),
        summary: `Set one or more variables${of}, all or nothing`,
        description:
          'Send either `key` and `value`, or `variables`. If one is invalid, none is written. Values are encrypted at rest and kept byte for ' +
          'byte. They take effect on the next build or deployment; use `deployProject` to apply them now. `${{KEY}}`, `${{group.KEY}}` and ' +
          '`${{database.url}}` in a value are replaced at each deployment; a reference that does not resolve is refused. `$${{` is the text `${{`.',
        params,
        body: SetEnvVars,
        response: { 200: z.union([EnvVar, EnvVarWritten]) }
      }
    },
    async (request) => {
      const variables = await setEnvVars(
        deps,
        request,
        sessionOf(request).userId,
        holder(request.params.id),
        request.body
      )
      return 'variables' in request.body ? { count: variables.length, variables } : variables[0]!
    }
  )
  app.post(
    `${at}/preview`,
    {
      config,
      bodyLimit,
      schema: {
        tags,
        operationId: named('previewEnvVars'),
        summary: `Preview a change of variables${of}`,
        description:
          'Saves nothing. Says which keys change, which projects get them, and what each needs before they take effect.',
        params,
        body: PreviewEnv,
        response: { 200: EnvChanges }
      }
    },
    (request) => previewChanges(deps, sessionOf(request).userId, holder(request.params.id), request.body)
  )
  app.post(
    `${at}/import`,
    {
      config,
      bodyLimit,
      schema: {
        tags,
        operationId: named('importEnvVars'),
        summary: of === '' ? 'Import a .env file' : 'Import a .env file into a group',
        description:
          'Supports comments, quotes, `export` and multi-line values the way Compose and shells do: `#` starts a comment only after a ' +
          'blank, and double quotes support `\\n`, `\\r`, `\\"`, `\\\\` and `\\$`. `$NAME` is not expanded. An invalid key rejects the ' +
          'whole import; `skipped` lists lines that are not variables and variables that were kept, with the reason.',
        params,
        body: ImportEnv,
        response: { 200: EnvVarsImported }
      }
    },
    async (request) => {
      const { dryRun, ...file } = request.body
      const { userId } = sessionOf(request)
      if (dryRun) {
        return { count: 0, variables: [], ...(await previewEnvFile(deps, userId, holder(request.params.id), file)) }
      }
      const imported = await importEnvFile(deps, request, userId, holder(request.params.id), file)
      return { count: imported.variables.length, ...imported }
    }
  )
  app.get(
    `${at}/export`,
    {
      config: { ...config, scope: 'full' },
      schema: {
        tags,
        operationId: named('exportEnvVars'),
        summary: `Export all variables${of} with their values as a .env file; audited`,
        description:
          'Values are quoted where needed, so that `importEnvVars`, Compose and shells read the same values. Requires a session with a confirmed ' +
          'identity (`confirmIdentity`), or a token with the scope `full`.',
        params,
        errors: ['FRESH_AUTH_REQUIRED'],
        response: { 200: EnvFileText }
      }
    },
    async (request) => {
      const session = sessionOf(request)
      const { userId } = session
      requireFreshProofUnlessToken(session, deps.now())
      const content = await exportEnvFile(deps, userId, holder(request.params.id))
      await recordAuditAlone(deps, request, {
        action: 'env_var.exported',
        actorId: userId,
        targetId: request.params.id,
        metadata: placeOf(holder(request.params.id))
      })
      return { content }
    }
  )
  app.delete(
    `${at}/:key`,
    {
      config,
      schema: {
        tags,
        operationId: named('deleteEnvVar'),
        summary: `Delete a variable${of}`,
        description: 'The running container keeps it until the next deployment.',
        params: keyParams,
        response: { 200: Message }
      }
    },
    async (request) => {
      await removeEnvVar(deps, request, sessionOf(request).userId, holder(request.params.id), request.params.key)
      return { message: `Deleted ${request.params.key}` }
    }
  )
}
