CREATE TYPE "public"."delivery_verdict" AS ENUM('ACCEPTED', 'IGNORED', 'REFUSED');--> statement-breakpoint
CREATE TYPE "public"."webhook_provider" AS ENUM('GITHUB', 'GITLAB', 'GITEA', 'BITBUCKET', 'OTHER', 'DEPLOY_HOOK');--> statement-breakpoint
CREATE TABLE "unsigned_deliveries" (
	"project_id" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"latest_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"provider" "webhook_provider" NOT NULL,
	"event" text NOT NULL,
	"verdict" "delivery_verdict" NOT NULL,
	"reason" text,
	"ref" jsonb,
	"commit_hash" text,
	"commit_msg" text,
	"deployment_id" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "deploy_rules" jsonb;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "deploy_hook_hash" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "deploy_hook_created_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "unsigned_deliveries" ADD CONSTRAINT "unsigned_deliveries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_list" ON "webhook_deliveries" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");