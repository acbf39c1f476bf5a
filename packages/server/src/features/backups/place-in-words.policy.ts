import type { RepositoryPlace } from '../../infra/backup-repository/backup-repository.ts'

/** Where a target stores, without secrets. */
export function placeInWords(place: RepositoryPlace): string {
  switch (place.kind) {
    case 'FOLDER':
      return place.path
    case 'SFTP':
      return `sftp://${place.username}@${place.host}:${place.port}${place.path}`
    case 'S3':
      return `${withoutSlash(place.endpoint)}/${place.bucket}${place.prefix === '' ? '' : `/${place.prefix}`}`
    case 'REST':
      return place.url
  }
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '')
