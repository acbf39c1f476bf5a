import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import {
  CreateVolume,
  DeleteVolume,
  ProjectVolume,
  ResizeVolume,
  VolumeList,
  VolumeName
} from '@panel/contract/volumes'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { createVolume, deleteVolume, resizeVolume, showVolumes } from './volumes.service.ts'

const config = { access: sessionAccess }
const tags = ['Volumes']
const params = z.object({ id: Id.meta({ description: 'The project.' }) })
const volumeParams = params.extend({ name: VolumeName })
const base = '/api/projects/:id/volumes'
const one = `${base}/:name`

export function volumeRoutes(app: App, deps: Dependencies): void {
  app.get(
    base,
    {
      config,
      schema: {
        tags,
        operationId: 'listVolumes',
        summary: 'List the volumes of a project',
        description: 'By name. Their files: `/api/files/{id}/…` with the id of the volume.',
        params,
        response: { 200: VolumeList }
      }
    },
    async (request) => showVolumes(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    base,
    {
      config,
      schema: {
        tags,
        operationId: 'createVolume',
        summary: 'Create a volume',
        description:
          'Site, workers, scheduled jobs and commands of the project mount it at its path; new containers replace the running ones without a build. It starts with what the image has at ' +
          'that path, belongs to the user of the containers, and is kept over deployments and rollbacks. Several instances share it.',
        params,
        body: CreateVolume,
        errors: ['ACCOUNT_SUSPENDED', 'CONFLICT', 'QUOTA_EXCEEDED'],
        response: { 201: ProjectVolume }
      }
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(await createVolume(deps, request, sessionOf(request).userId, request.params.id, request.body))
  )
  app.patch(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'resizeVolume',
        summary: 'Change the size of a volume',
        description: 'Takes effect at once; no container is replaced.',
        params: volumeParams,
        body: ResizeVolume,
        errors: ['ACCOUNT_SUSPENDED'],
        response: { 200: ProjectVolume }
      }
    },
    async (request) =>
      resizeVolume(deps, request, sessionOf(request).userId, keyOf(request.params), request.body.sizeMb)
  )
  app.delete(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'deleteVolume',
        summary: 'Delete a volume and its files',
        description:
          'New containers without it replace the running ones; then its files are removed. Backups keep them.',
        params: volumeParams,
        body: DeleteVolume,
        errors: ['ACCOUNT_SUSPENDED'],
        response: { 200: Message }
      }
    },
    async (request) => {
      await deleteVolume(deps, request, sessionOf(request).userId, keyOf(request.params), request.body.name)
      return { message: 'Volume deleted' }
    }
  )
}

const keyOf = ({ id, name }: { id: string; name: string }) => ({ projectId: id, name })
