CREATE TABLE "processes" (
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"command" text,
	"instances" integer NOT NULL,
	"memory_mb" integer,
	"cpus" real,
	"restarts" integer DEFAULT 0 NOT NULL,
	"crashing_since" timestamp (3) with time zone,
	"last_lines" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "processes_project_id_name_pk" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
ALTER TABLE "processes" ADD CONSTRAINT "processes_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "processes_crashing" ON "processes" USING btree ("project_id") WHERE crashing_since is not null;