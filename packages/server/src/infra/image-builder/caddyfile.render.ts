import { caddyHeaders, caddyHidden, caddyRedirects } from './caddy-rules.render.ts'
import type { SiteRules } from './site-rules.ts'

/**
 * Serves /srv on $PORT. Hidden files and dumps are never served; 404.html is the error page. Without a 404.html, a built site
 * counts as a single-page application: unknown pages (not unknown files) answer with index.html. Browsers revalidate
 * every file, because a deployment may change any file under its name.
 */
export const renderCaddyfile = (options: { singlePage: boolean; rules: SiteRules }): string => `{
	admin off
	auto_https off
}

:{$PORT} {
	root * /srv
	encode zstd gzip
	header Cache-Control "public, max-age=0, must-revalidate"
	header -Server
	header X-Content-Type-Options nosniff

	route {
${caddyHeaders(options.rules)}		@hidden {
			path */.*
			not path /.well-known/*
		}
		error @hidden 404
${caddyHidden}${caddyRedirects(options.rules)}
		@page {
			not file {path} {path}/
			file {path}.html
		}
		rewrite @page {path}.html
${options.singlePage ? singlePageRules : ''}
		file_server {
			hide .git .env .env.* .htaccess .htpasswd
		}
	}

	handle_errors {
		@notFound {
			expression \`{http.error.status_code} == 404\`
			file /404.html
		}
		handle @notFound {
			rewrite * /404.html
			file_server
		}
		handle {
			respond "{http.error.status_code} {http.error.status_text}"
		}
	}
}
`

const singlePageRules = `
		@pageOfApplication {
			not file {path} {path}/
			not file /404.html
			not path_regexp \\.[^/]+$
			file /index.html
		}
		rewrite @pageOfApplication /index.html
		@navigation {
			not file {path} {path}/
			not file /404.html
			header Accept *text/html*
			file /index.html
		}
		rewrite @navigation /index.html
`
