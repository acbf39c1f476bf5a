import { type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { UsageError } from '../context.ts'
import { allPages, projectOf } from '../projects.ts'
import { table } from '../table.ts'

export const listProcesses: Command = {
  name: 'ps',
  about: 'list the processes with their state, memory and CPU',
  args: '[project]',
  example: 'ps shop',
  async run(call) {
    const { id } = await projectOf(call)
    const processes = await allPages(async (page) => {
      const params = { path: { id }, query: { page, limit: 100 } }
      const list = await unwrap(call.client.GET('/api/projects/{id}/processes', { params }))
      return { items: list.processes, totalPages: list.pagination.totalPages }
    })
    const rows = processes.map((process) => [
      ...[process.name, process.state, process.instances, memoryOf(process), cpuOf(process), process.command]
    ])
    call.print(processes, table(['NAME', 'STATE', 'INSTANCES', 'MEMORY', 'CPU', 'COMMAND'], rows))
  }
}

export const scale: Command = {
  name: 'scale',
  about: 'set the number of instances of a worker, and its memory and CPU; needs no build',
  args: '[project] <worker=count>',
  options: [
    ['--memory <MiB>', 'memory of each instance'],
    ['--cpus <cores>', 'cores for each instance']
  ],
  example: 'scale shop worker=2',
  async run(call) {
    const { client, args, options, print, next } = call
    const [, name, count] = /^([^=]+)=(\d+)$/.exec(args[0]!) ?? []
    if (name === undefined) throw new UsageError('Give the worker and its number of instances, such as worker=2')
    const { id, name: project } = await projectOf(call)
    const body = {
      instances: Number(count),
      ...(options.memory === undefined ? {} : { memoryMb: numberIn('memory', options.memory) }),
      ...(options.cpus === undefined ? {} : { cpus: numberIn('cpus', options.cpus) })
    }
    const params = { path: { id, name } }
    const process = await unwrap(client.PATCH('/api/projects/{id}/processes/{name}', { params, body }))
    print(process, `${process.name} has ${process.instances} instances\n`)
    next(`ps ${project}`)
  }
}

function numberIn(option: string, given: string | boolean): number {
  const value = Number(given)
  if (!(value > 0)) throw new UsageError(`--${option} must be a number above 0`)
  return value
}

type Process = Schema<'ProjectProcess'>

/** Of all instances together; undefined if unknown. */
function sumOf({ running }: Process, member: 'ramUsed' | 'cpuPercent'): number | undefined {
  const known = running.map((instance) => instance[member]).filter((value) => value !== null)
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0)
}

const memoryOf = (process: Process): string | undefined => {
  const bytes = sumOf(process, 'ramUsed')
  return bytes === undefined ? undefined : `${Math.round(bytes / 2 ** 20)} MiB`
}

const cpuOf = (process: Process): string | undefined => {
  const percent = sumOf(process, 'cpuPercent')
  return percent === undefined ? undefined : `${Math.round(percent)} %`
}
