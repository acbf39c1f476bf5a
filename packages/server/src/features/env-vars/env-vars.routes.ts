import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import {
  EnvFileText,
  EnvKey,
  EnvVar,
  EnvVarList,
  EnvVarsImported,
  EnvVarWritten,
  ImportEnv,
  RevealedEnvVar,
  SetEnvVars
} from '@panel/contract/env-vars'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { recordAuditAlone } from '../audit/recording.service.ts'
import { requireFreshProofUnlessToken } from '../sessions/fresh-proof.policy.ts'
import {
  exportEnvFile,
  importEnvFile,
  listMasked,
  previewEnvFile,
  removeEnvVar,
  revealEnvVar,
  setEnvVars
} from './env-vars.service.ts'

const config = { access: sessionAccess }
const tags = ['Environment variables']
const params = z.object({ id: Id })
const keyParams = z.object({ id: Id, key: EnvKey })
// 500 values of 64 KiB are more than any container accepts; a large import still fits.
const bodyLimit = 8 * 1024 * 1024

export function envVarRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/projects/:id/env',
    {
      config,
      schema: {
        tags,
        operationId: 'listEnvVars',
        summary: 'List variables with masked values',
        description: 'Does not return values; use `revealEnvVar` to read one.',
        params,
        response: { 200: EnvVarList }
      }
    },
    async (request) => ({ variables: await listMasked(deps, sessionOf(request).userId, request.params.id) })
  )
  app.get(
    '/api/projects/:id/env/:key/reveal',
    {
      // A read-only token is shared more freely than secrets should be.
      config: { ...config, scope: 'full' },
      schema: {
        tags,
        operationId: 'revealEnvVar',
        summary: 'Reveal one value; audited',
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
      const variable = await revealEnvVar(deps, userId, request.params.id, request.params.key)
      await recordAuditAlone(deps, request, { action: 'env_var.revealed', actorId: userId, targetId: variable.id })
      return variable
    }
  )
  app.post(
    '/api/projects/:id/env',
    {
      config,
      bodyLimit,
      schema: {
        tags,
        operationId: 'setEnvVars',
        summary: 'Set one or more variables, all or nothing',
        description:
          'Send either `key` and `value`, or `variables`. If one is invalid, none is written. Values are encrypted at rest and kept byte for ' +
          'byte. They take effect on the next build or deployment; use `deployProject` to apply them now.',
        params,
        body: SetEnvVars,
        response: { 200: z.union([EnvVar, EnvVarWritten]) }
      }
    },
    async (request) => {
      const variables = await setEnvVars(deps, request, sessionOf(request).userId, request.params.id, request.body)
      return 'variables' in request.body ? { count: variables.length, variables } : variables[0]!
    }
  )
  app.post(
    '/api/projects/:id/env/import',
    {
      config,
      bodyLimit,
      schema: {
        tags,
        operationId: 'importEnvVars',
        summary: 'Import a .env file',
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
        return { count: 0, variables: [], ...(await previewEnvFile(deps, userId, request.params.id, file)) }
      }
      const imported = await importEnvFile(deps, request, userId, request.params.id, file)
      return { count: imported.variables.length, ...imported }
    }
  )
  app.get(
    '/api/projects/:id/env/export',
    {
      config: { ...config, scope: 'full' },
      schema: {
        tags,
        operationId: 'exportEnvVars',
        summary: 'Export all variables with their values as a .env file; audited',
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
      const content = await exportEnvFile(deps, userId, request.params.id)
      await recordAuditAlone(deps, request, {
        action: 'env_var.exported',
        actorId: userId,
        targetId: request.params.id
      })
      return { content }
    }
  )
  app.delete(
    '/api/projects/:id/env/:key',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteEnvVar',
        summary: 'Delete a variable',
        description: 'The running container keeps it until the next deployment.',
        params: keyParams,
        response: { 200: Message }
      }
    },
    async (request) => {
      await removeEnvVar(deps, request, sessionOf(request).userId, request.params.id, request.params.key)
      return { message: `Deleted ${request.params.key}` }
    }
  )
}
