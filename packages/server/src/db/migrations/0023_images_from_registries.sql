ALTER TYPE "public"."project_type" ADD VALUE 'IMAGE';--> statement-breakpoint
CREATE TABLE "image_checks" (
	"project_id" text PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"digest" text,
	"problem" jsonb,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"deployed_digest" text
);
--> statement-breakpoint
CREATE TABLE "registries" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"host" text NOT NULL,
	"username" text NOT NULL,
	"secret" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "source_image" jsonb;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "image" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "image_auto_deploy" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "image_checks" ADD CONSTRAINT "image_checks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registries" ADD CONSTRAINT "registries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "image_checks_due" ON "image_checks" USING btree ("next_at");--> statement-breakpoint
CREATE UNIQUE INDEX "registries_host_key" ON "registries" USING btree ("user_id","host");