import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type TcpPort = Schema<'TcpPort'>
export type TcpPortList = Schema<'TcpPortList'>

export const tcpPortsKey = (id: string) => ['projects', id, 'tcp-ports']

export const tcpPortsQuery = (id: string) =>
  queryOptions({
    queryKey: tcpPortsKey(id),
    queryFn: () => data(api.GET('/api/projects/{id}/tcp-ports', { params: { path: { id } } }))
  })

export const publishTcpPort = (id: string, body: Schema<'CreateTcpPort'>) =>
  data(api.POST('/api/projects/{id}/tcp-ports', { params: { path: { id } }, body }))

export const removeTcpPort = (id: string, portId: string) =>
  data(api.DELETE('/api/projects/{id}/tcp-ports/{portId}', { params: { path: { id, portId } } }))
