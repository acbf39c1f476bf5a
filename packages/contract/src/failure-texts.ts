/** Why a deployment failed, as far as it is not a program's own words. */
export const failureTexts = {
  TIMED_OUT: 'It took longer than BUILD_TIMEOUT ({{seconds}} s)',
  PANEL_STOPPED: 'The panel was stopped; deploy again',
  PANEL_STOPPED_MEANWHILE: 'The panel stopped while this was {{status}}; deploy again',
  OUR_FAULT: 'Something went wrong on our side; the server log has the details',
  DISK_LOW:
    'The disk of this server is nearly full: {{free}} MiB are free and a build needs {{needed}} MiB (MIN_FREE_DISK). An administrator must make room; then build again',
  NO_REPOSITORY: 'The project has no repository to build from.',
  NO_DOCKERFILE: 'There is no Dockerfile in the root of the repository; add one.',
  DOCKERFILE_IS_LINK: 'The Dockerfile is a symbolic link; make it a regular file.',
  DOCKERFILE_TOO_LARGE: 'The Dockerfile cannot be read: it is too large.',
  DOCKERFILE_NO_FROM: 'The Dockerfile has no FROM instruction.',
  DOCKERFILE_TOO_MANY_IMAGES: 'The Dockerfile names more than {{max}} images; use fewer.',
  IMAGE_OF_PROJECT: 'The image {{reference}} is one that this server built for a project; name one of a registry.',
  IMAGE_OF_SERVER: 'The image {{reference}} was made on this server and is in no registry; name one of a registry.',
  IMAGE_HAS_ONBUILD: 'The image {{reference}} has ONBUILD instructions, which are not allowed here; use another one.',
  IMAGE_NOT_PULLED: 'The image {{reference}} cannot be pulled: {{problem}}. Check its name, and that it is public.',
  IMAGE_GONE_AGAIN: 'The image {{reference}} is gone again after it was pulled; deploy again.',
  REGISTRY_PRIVATE: 'The registry {{host}} is at a private address; images come from public registries only.',
  FILE_TOO_LARGE_TO_READ: '{{path}} is larger than is read of such a file; make it smaller.',
  MANIFESTS_TOO_LARGE: 'The manifests of the repository are too large together; make them smaller.',
  DEPENDENCY_LIST_TOO_LARGE: '{{path}} is too large for a file that lists dependencies.',
  REPOSITORY_TOO_LARGE: 'The repository is larger than {{megabytes}} MiB, the limit of this server.',
  REPOSITORY_TOO_LARGE_TO_BUILD: 'The repository is larger than this server takes into a build.',
  NOT_JSON: '{{path}} is not valid JSON: {{problem}}',
  NO_JSON_OBJECT: '{{path}} is not a JSON object.',
  NOT_TOML: '{{path}} is not valid TOML: {{problem}}',
  NO_NODE_START:
    'package.json has no "start" script and no start command is set: add one of them, or a Procfile with a "web:" line, a "main" file, or a server.js, index.js or app.js; or a "build" script that leaves a site.',
  NO_NODE_FILE:
    'There is no package.json, no server.js, index.js or app.js, and no start command is set: add one of them.',
  NO_PYTHON_START:
    'It is not clear how this Python project starts: set a start command (listening on 0.0.0.0:$PORT), or add a Procfile with a "web:" line, a Django manage.py, or an app.py, main.py, wsgi.py or asgi.py with a Flask, FastAPI or Starlette application.',
  NO_PYTHON_FILE: 'The repository has no Python file; choose another project type, or set a start command.',
  NO_SITE:
    'No index.html was found in the root, public/, dist/, build/ or _site/ of the repository, and there is nothing to build: add one, or a "build" script in package.json, or set a build command.',
  NO_WORDPRESS:
    'No WordPress was found in the repository: it may hold the whole core, a wp-content directory, or a theme (style.css with a "Theme Name:").',
  OTHER_PLATFORM:
    'The SvelteKit project is built for another platform by its adapter: in svelte.config.js take @sveltejs/adapter-node for a server or @sveltejs/adapter-static for a site.',
  NOTHING_FETCHED: 'Nothing of the repository has been fetched yet: a build does, and so does connecting it.',
  NOT_CONNECTED: 'No repository is connected: connect one.',
  IMAGE_NOT_KEPT: 'The image of this deployment is no longer kept',
  ACCOUNT_GONE: 'The account of this project is gone',
  NO_HOST_NAME: 'No host name is free for this project; rename it',
  NO_ANSWER:
    'The container did not become ready: it did not answer HTTP on port {{port}} within {{seconds}} s; it must listen on 0.0.0.0 and the port in $PORT',
  CONTAINER_GONE: 'The container did not become ready: it is gone',
  OUT_OF_MEMORY:
    'The container did not become ready: it ran out of memory; raise DEPLOY_MEMORY_LIMIT or make it use less',
  EXITED: 'The container did not become ready: it stopped with exit code {{exitCode}}',
  EXITED_AND_RESTARTED:
    'The container did not become ready: it stopped with exit code {{exitCode}} and is started again',
  RESTARTED: 'The container did not become ready: it stopped and was started again'
} as const
export type FailureCode = keyof typeof failureTexts
