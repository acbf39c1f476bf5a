CREATE TYPE "public"."commit_state" AS ENUM('PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED');--> statement-breakpoint
CREATE TYPE "public"."status_outcome" AS ENUM('SENT', 'RETRYING', 'FAILED');--> statement-breakpoint
CREATE TYPE "public"."status_provider" AS ENUM('GITHUB', 'GITLAB', 'GITEA');--> statement-breakpoint
CREATE TYPE "public"."variable_scope" AS ENUM('BOTH', 'BUILD', 'RUN');--> statement-breakpoint
CREATE TABLE "commit_statuses" (
	"project_id" text PRIMARY KEY NOT NULL,
	"provider" "status_provider" NOT NULL,
	"api_url" text NOT NULL,
	"token" text NOT NULL,
	"last_state" "commit_state",
	"last_commit_hash" text,
	"last_deployment_id" text,
	"last_outcome" "status_outcome",
	"last_problem" jsonb,
	"last_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "env_groups" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project_env_groups" (
	"project_id" text NOT NULL,
	"group_id" text NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "project_env_groups_project_id_group_id_pk" PRIMARY KEY("project_id","group_id")
);
--> statement-breakpoint
ALTER TABLE "env_vars" ALTER COLUMN "project_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "env_vars" ADD COLUMN "group_id" text;--> statement-breakpoint
ALTER TABLE "env_vars" ADD COLUMN "references" jsonb;--> statement-breakpoint
ALTER TABLE "env_vars" ADD COLUMN "scope" "variable_scope" DEFAULT 'BOTH' NOT NULL;--> statement-breakpoint
ALTER TABLE "env_vars" ADD COLUMN "processes" jsonb;--> statement-breakpoint
ALTER TABLE "commit_statuses" ADD CONSTRAINT "commit_statuses_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "env_groups" ADD CONSTRAINT "env_groups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_env_groups" ADD CONSTRAINT "project_env_groups_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_env_groups" ADD CONSTRAINT "project_env_groups_group_id_env_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."env_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "env_groups_name" ON "env_groups" USING btree ("user_id","name");--> statement-breakpoint
CREATE INDEX "project_env_groups_group" ON "project_env_groups" USING btree ("group_id");--> statement-breakpoint
ALTER TABLE "env_vars" ADD CONSTRAINT "env_vars_group_id_env_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."env_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "env_vars_group_key" ON "env_vars" USING btree ("group_id","key");--> statement-breakpoint
ALTER TABLE "env_vars" ADD CONSTRAINT "env_vars_of" CHECK ((project_id is null) <> (group_id is null));