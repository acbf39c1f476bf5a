CREATE TYPE "public"."deployment_status" AS ENUM('QUEUED', 'BUILDING', 'DEPLOYING', 'RUNNING', 'FAILED', 'CANCELLED');--> statement-breakpoint
CREATE TYPE "public"."deployment_trigger" AS ENUM('MANUAL', 'WEBHOOK', 'DEPLOY', 'ROLLBACK');--> statement-breakpoint
CREATE TYPE "public"."permission" AS ENUM('canManageDns', 'canManageFirewall', 'canManageBackups', 'canCreateSubAccounts');--> statement-breakpoint
CREATE TYPE "public"."project_status" AS ENUM('ACTIVE', 'CREATING', 'STOPPED', 'DELETED');--> statement-breakpoint
CREATE TYPE "public"."project_type" AS ENUM('NODEJS', 'PYTHON', 'STATIC', 'WORDPRESS', 'DOCKERFILE');--> statement-breakpoint
CREATE TYPE "public"."role" AS ENUM('ADMIN', 'RESELLER', 'USER');--> statement-breakpoint
CREATE SEQUENCE "public"."user_uid" INCREMENT BY 1 MINVALUE 20000 MAXVALUE 2000000000 START WITH 20000 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."worker_id" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2000000000 START WITH 1 CACHE 1 CYCLE;--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"action" text NOT NULL,
	"actor_id" text,
	"target_id" text,
	"ip" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "container_slots" (
	"port" integer PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"deployment_id" text NOT NULL,
	"container_port" integer NOT NULL,
	"retired_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deployment_logs" (
	"deployment_id" text NOT NULL,
	"seq" bigserial NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "deployment_logs_deployment_id_seq_pk" PRIMARY KEY("deployment_id","seq")
);
--> statement-breakpoint
CREATE TABLE "deployments" (
	"id" text PRIMARY KEY NOT NULL,
	"seq" bigserial NOT NULL,
	"project_id" text NOT NULL,
	"user_id" text NOT NULL,
	"status" "deployment_status" DEFAULT 'QUEUED' NOT NULL,
	"trigger" "deployment_trigger" NOT NULL,
	"commit_hash" text,
	"commit_msg" text,
	"build_cmd" text,
	"image" text,
	"image_spec" jsonb,
	"worker_id" integer,
	"started_at" timestamp (3) with time zone,
	"duration" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "env_vars" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"key" text NOT NULL,
	"value" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "host_names" (
	"hostname" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"type" "project_type" NOT NULL,
	"status" "project_status" DEFAULT 'ACTIVE' NOT NULL,
	"git_url" text,
	"branch" text,
	"is_private" boolean DEFAULT false NOT NULL,
	"build_cmd" text,
	"start_cmd" text,
	"port" integer,
	"webhook_secret" text,
	"ssh_public_key" text,
	"ssh_private_key_path" text,
	"live_deployment_id" text,
	"container_id" text,
	"container_status" text,
	"internal_port" integer,
	"deployed_domain" text,
	"deployed_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_deliveries" (
	"project_id" text NOT NULL,
	"delivery_id" text NOT NULL,
	"deployment_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "push_deliveries_project_id_delivery_id_pk" PRIMARY KEY("project_id","delivery_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"ip" text,
	"user_agent" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"key" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"role" "role" NOT NULL,
	"permissions" "permission"[] DEFAULT '{}' NOT NULL,
	"overselling_enabled" boolean DEFAULT false NOT NULL,
	"totp_enabled" boolean DEFAULT false NOT NULL,
	"max_projects" integer,
	"max_domains" integer,
	"max_databases" integer,
	"max_mailboxes" integer,
	"max_sub_accounts" integer,
	"parent_id" text,
	"uid" integer DEFAULT nextval('user_uid') NOT NULL,
	"project_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_uid_unique" UNIQUE("uid")
);
--> statement-breakpoint
ALTER TABLE "container_slots" ADD CONSTRAINT "container_slots_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployment_logs" ADD CONSTRAINT "deployment_logs_deployment_id_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."deployments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "env_vars" ADD CONSTRAINT "env_vars_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_names" ADD CONSTRAINT "host_names_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_deliveries" ADD CONSTRAINT "push_deliveries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "container_slots_deployment" ON "container_slots" USING btree ("deployment_id");--> statement-breakpoint
CREATE INDEX "container_slots_project" ON "container_slots" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "deployments_list" ON "deployments" USING btree ("project_id","seq");--> statement-breakpoint
CREATE INDEX "deployments_served" ON "deployments" USING btree ("user_id","started_at");--> statement-breakpoint
CREATE INDEX "deployments_open" ON "deployments" USING btree ("status","seq") WHERE status in ('QUEUED', 'BUILDING', 'DEPLOYING');--> statement-breakpoint
CREATE UNIQUE INDEX "env_vars_key" ON "env_vars" USING btree ("project_id","key");--> statement-breakpoint
CREATE INDEX "host_names_project" ON "host_names" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_name_key" ON "projects" USING btree ("user_id","name") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "projects_list" ON "projects" USING btree ("user_id","created_at","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "push_deliveries_age" ON "push_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email"));