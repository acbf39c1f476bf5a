import { AddSshKey, RemoveSshKey, SftpCredentials, SftpUser } from '@panel/contract/sftp'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { sftpUserView } from './sftp-user-view.ts'
import {
  addSshKey,
  getSftpUser,
  provisionSftp,
  removeSshKey,
  rotatePassword,
  setEnabled,
  showCredentials
} from './sftp.service.ts'

const config = { access: sessionAccess }
const tags = ['SFTP']

export function sftpRoutes(app: App, deps: Dependencies): void {
  const user = { 200: SftpUser }
  const credentials = { 200: SftpCredentials }

  app.get(
    '/api/sftp',
    {
      config,
      schema: {
        tags,
        operationId: 'getSftpUser',
        summary: 'Get the SFTP account',
        description:
          'Does not include the password. 404 until you create the account (`provisionSftpUser`). Each project of your account is a folder.',
        errors: ['NOT_FOUND'],
        response: user
      }
    },
    async (request) => sftpUserView(deps, await getSftpUser(deps, sessionOf(request).userId))
  )
  app.post(
    '/api/sftp/provision',
    {
      config,
      schema: {
        tags,
        operationId: 'provisionSftpUser',
        summary: 'Create the SFTP account',
        description:
          'Idempotent: returns the existing account (200). If the SFTP server is not responding, answers 503 SFTP_UNAVAILABLE and creates nothing.',
        errors: ['NOT_FOUND', 'SFTP_UNAVAILABLE'],
        response: { ...credentials, 201: SftpCredentials }
      }
    },
    async (request, reply) => {
      const { credentials, isNew } = await provisionSftp(deps, request, sessionOf(request).userId)
      return reply.code(isNew ? 201 : 200).send(credentials)
    }
  )
  app.get(
    '/api/sftp/credentials',
    {
      // Read-only tokens must not read passwords.
      config: { ...config, scope: 'full' },
      schema: {
        tags,
        operationId: 'getSftpCredentials',
        summary: 'Get the SFTP credentials',
        description:
          'Address, username and password for an SFTP client. `hostKeys` are the fingerprints that it shows on the first connection. Each call is audited.',
        errors: ['NOT_FOUND', 'SFTP_UNAVAILABLE'],
        response: credentials
      }
    },
    async (request) => showCredentials(deps, request, sessionOf(request).userId)
  )
  app.post(
    '/api/sftp/rotate-password',
    {
      config,
      schema: {
        tags,
        operationId: 'rotateSftpPassword',
        summary: 'Rotate the password',
        description: 'Returns the new password. Open sessions and SSH keys are not affected.',
        errors: ['NOT_FOUND', 'SFTP_UNAVAILABLE'],
        response: credentials
      }
    },
    async (request) => rotatePassword(deps, request, sessionOf(request).userId)
  )
  app.post(
    '/api/sftp/add-ssh-key',
    {
      config,
      schema: {
        tags,
        operationId: 'addSshKey',
        summary: 'Add an SSH key',
        description:
          'Ed25519, ECDSA, or RSA of at least 2048 bits: one line in `authorized_keys` format without options. The key allows SFTP only, ' +
          'no shell and no forwarding.',
        body: AddSshKey,
        errors: ['SSH_KEY_INVALID', 'QUOTA_EXCEEDED', 'NOT_FOUND', 'SSH_KEY_EXISTS', 'SFTP_UNAVAILABLE'],
        response: user
      }
    },
    async (request) => {
      const { userId } = sessionOf(request)
      return sftpUserView(deps, await addSshKey(deps, request, userId, request.body.publicKey))
    }
  )
  app.post(
    '/api/sftp/remove-ssh-key',
    {
      config,
      schema: {
        tags,
        operationId: 'removeSshKey',
        summary: 'Remove an SSH key',
        description: 'Matches by type and data; the comment is ignored.',
        body: RemoveSshKey,
        errors: ['SSH_KEY_INVALID', 'NOT_FOUND', 'SFTP_UNAVAILABLE'],
        response: user
      }
    },
    async (request) => {
      const { userId } = sessionOf(request)
      return sftpUserView(deps, await removeSshKey(deps, request, userId, request.body.publicKey))
    }
  )
  app.delete(
    '/api/sftp/disable',
    {
      config,
      schema: {
        tags,
        operationId: 'disableSftp',
        summary: 'Disable the SFTP account',
        description: 'Ends open sessions. Password and keys are kept.',
        errors: ['NOT_FOUND', 'SFTP_UNAVAILABLE'],
        response: user
      }
    },
    async (request) => sftpUserView(deps, await setEnabled(deps, request, sessionOf(request).userId, false))
  )
  app.post(
    '/api/sftp/enable',
    {
      config,
      schema: {
        tags,
        operationId: 'enableSftp',
        summary: 'Enable the SFTP account',
        errors: ['NOT_FOUND', 'SFTP_UNAVAILABLE'],
        response: user
      }
    },
    async (request) => sftpUserView(deps, await setEnabled(deps, request, sessionOf(request).userId, true))
  )
}
