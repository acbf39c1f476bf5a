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
        summary: 'Show the SFTP account, without its password',
        description:
          '404 until it is made (`provisionSftpUser`). One account of SFTP has every project of the account as a folder.',
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
        summary: 'Make the SFTP account, with every project under its name; again: the one that there is',
        description: 'Without a server that answers it is 503 SFTP_UNAVAILABLE, and no account is made.',
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
      // A token that may read is given away more lightly than what it would read here.
      config: { ...config, scope: 'full' },
      schema: {
        tags,
        operationId: 'getSftpCredentials',
        summary: 'Show address, user name and password; audited',
        description:
          'What an SFTP program asks for. `hostKeys` are the fingerprints that it shows at the first connection.',
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
        summary: 'Replace the password; sessions that are open go on',
        description: 'The new one is in this answer. Keys are not touched.',
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
          'ED25519, ECDSA or RSA of 2048 bits and more, one a line of `authorized_keys` without options. It opens SFTP alone: no shell, no ' +
          'forwarding.',
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
        summary: 'Remove an SSH key; its comment does not matter',
        description: 'By its type and its data.',
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
        summary: 'Lock the account and end its sessions',
        description: 'Password and keys stay for when it is enabled again.',
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
        summary: 'Enable the account again',
        errors: ['NOT_FOUND', 'SFTP_UNAVAILABLE'],
        response: user
      }
    },
    async (request) => sftpUserView(deps, await setEnabled(deps, request, sessionOf(request).userId, true))
  )
}
