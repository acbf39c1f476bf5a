import { type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { projectOf } from '../projects.ts'
import { facts } from '../table.ts'

export const status: Command = {
  name: 'status',
  about: 'show what runs of a project and where',
  args: '[project]',
  example: 'status shop',
  async run(call) {
    const { id } = await projectOf(call)
    const params = { path: { id }, query: { secrets: 'false' as const } }
    const project = await unwrap(call.client.GET('/api/projects/{id}', { params }))
    const { name, type, status: state, containerStatus, asleepSince, deployedDomain, gitUrl, branch } = project
    call.print(
      project,
      facts({
        name,
        type,
        status: state,
        container: containerStatus,
        machines: project.machines?.map(machineText).join(', ') || null,
        'asleep since': asleepSince,
        domain: deployedDomain,
        repository: gitUrl,
        branch
      })
    )
    call.next(containerStatus === null ? `deploy ${name}` : `logs ${name} -f`)
  }
}

const machineText = ({ name, instances, isResponding }: Schema<'ProjectMachine'>): string =>
  `${name} (${instances} ${instances === 1 ? 'instance' : 'instances'}${isResponding ? '' : ', not responding'})`

export const sleep: Command = {
  name: 'sleep',
  about: 'stop the site of a project until its next request',
  args: '[project]',
  example: 'sleep shop',
  async run(call) {
    const { id, name } = await projectOf(call)
    const result = await unwrap(call.client.POST('/api/projects/{id}/sleep', { params: { path: { id } } }))
    call.print(result, `${name} sleeps until its next request\n`)
    call.next(`open ${name}`)
  }
}

export const restart: Command = {
  name: 'restart',
  about: 'restart the container of a project, or one of its processes',
  args: '[project]',
  options: [['--process <name>', 'default: web']],
  example: 'restart shop --process worker',
  async run(call) {
    const { id, name } = await projectOf(call)
    const { process } = call.options
    if (typeof process === 'string' && process !== 'web') {
      const path = { id, name: process }
      const restarted = await unwrap(
        call.client.POST('/api/projects/{id}/processes/{name}/restart', { params: { path } })
      )
      call.print(restarted, `${process} restarts\n`)
      return call.next(`logs ${name} --process ${process} -f`)
    }
    const params = { path: { id, action: 'restart' as const } }
    const result = await unwrap(call.client.POST('/api/projects/{id}/container/{action}', { params }))
    call.print(result, `${name} is ${result.containerStatus ?? 'not running'}\n`)
    call.next(`logs ${name} -f`)
  }
}
