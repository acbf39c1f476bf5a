CREATE TYPE "public"."wordpress_task_kind" AS ENUM('UPDATE', 'REPLACEMENT', 'COPY');--> statement-breakpoint
CREATE TYPE "public"."wordpress_task_status" AS ENUM('RUNNING', 'SUCCEEDED', 'ROLLED_BACK', 'FAILED');--> statement-breakpoint
CREATE TYPE "public"."wordpress_task_step" AS ENUM('QUEUED', 'SAVING', 'CHANGING', 'RESTORING', 'DONE');--> statement-breakpoint
CREATE TYPE "public"."wordpress_task_trigger" AS ENUM('MANUAL', 'AUTOMATIC');--> statement-breakpoint
CREATE TYPE "public"."wordpress_update_policy" AS ENUM('OFF', 'SECURITY', 'ALL');--> statement-breakpoint
ALTER TYPE "public"."project_type" ADD VALUE 'PHP' BEFORE 'STATIC';--> statement-breakpoint
CREATE TABLE "project_rules" (
	"project_id" text PRIMARY KEY NOT NULL,
	"rules" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wordpress_sites" (
	"project_id" text PRIMARY KEY NOT NULL,
	"update_policy" "wordpress_update_policy" DEFAULT 'OFF' NOT NULL,
	"next_update_at" timestamp (3) with time zone,
	"cron_at" timestamp (3) with time zone,
	"cron_checked_at" timestamp (3) with time zone,
	"next_event_at" timestamp (3) with time zone,
	"late_since" timestamp (3) with time zone,
	"staging_of" text,
	"encrypted_password" text
);
--> statement-breakpoint
CREATE TABLE "wordpress_tasks" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"user_id" text NOT NULL,
	"kind" "wordpress_task_kind" NOT NULL,
	"trigger" "wordpress_task_trigger" NOT NULL,
	"status" "wordpress_task_status" DEFAULT 'RUNNING' NOT NULL,
	"step" "wordpress_task_step" DEFAULT 'QUEUED' NOT NULL,
	"items" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"replacement" jsonb,
	"copy" jsonb,
	"changed" integer,
	"skipped" integer,
	"problem" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"maintenance" boolean DEFAULT false NOT NULL,
	"database_id" text,
	"table_prefix" text,
	"has_copy" boolean DEFAULT false NOT NULL,
	"worker_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "page_cache" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "project_rules" ADD CONSTRAINT "project_rules_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD CONSTRAINT "wordpress_sites_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD CONSTRAINT "wordpress_sites_staging_of_projects_id_fk" FOREIGN KEY ("staging_of") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordpress_tasks" ADD CONSTRAINT "wordpress_tasks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordpress_tasks" ADD CONSTRAINT "wordpress_tasks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordpress_tasks" ADD CONSTRAINT "wordpress_tasks_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "wordpress_sites_staging" ON "wordpress_sites" USING btree ("staging_of");--> statement-breakpoint
CREATE UNIQUE INDEX "wordpress_tasks_running" ON "wordpress_tasks" USING btree ("project_id") WHERE status = 'RUNNING' or has_copy;--> statement-breakpoint
CREATE INDEX "wordpress_tasks_list" ON "wordpress_tasks" USING btree ("project_id","created_at");