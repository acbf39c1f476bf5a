ALTER TABLE "projects" ADD COLUMN "docker_context" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "docker_target" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "build_args" jsonb;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "install_cmd" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "output_directory" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "release_cmd" text;