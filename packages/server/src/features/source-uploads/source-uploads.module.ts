import { feature } from '../feature.ts'
import { sourceUploadRoutes } from './source-uploads.routes.ts'
import { removeStrayUploads } from './stray-uploads.reconcile.ts'

export const sourceUploads = feature({
  name: 'sourceUploads',
  routes: [sourceUploadRoutes],
  reconcile: [{ name: 'stray uploads', on: {}, run: removeStrayUploads }]
})
