// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/svg.hpp"

#include "core/format.hpp"
#include "core/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace echelon {
namespace {

using Activity = Interval::Activity;

constexpr double bars = 30, bar = 8, band = 10, right = 16, bottom = 56, legend_line = 16;
constexpr const char* font = "font-family=\"sans-serif\" font-size=\"11\"";
constexpr const char* small_font = "font-family=\"sans-serif\" font-size=\"8\"";
constexpr double letter = 6.2, small_letter = 4.6;  // upper bounds of their width
/// Text takes the colour of `svg`.
constexpr const char* stylesheet =
    "<style>svg{fill:#232427;background:#ffffff}rect{stroke:#ffffff;stroke-width:0.5}.grid{stroke:#dddddd}"
    ".message{stroke:#555555}.tip{fill:#555555}.group{stroke:#333333}.on{fill:#232427}"
    "@media (prefers-color-scheme:dark){svg{fill:#e4e5e9;background:#17181b}rect{stroke:#17181b}.grid{stroke:#3a3c42}"
    ".message{stroke:#a4a7af}.tip{fill:#a4a7af}.group{stroke:#a4a7af}}</style>\n";

struct Style {
    const char* name;
    const char* colour;
    double offset;  // of the bar in its lane
};

/// Colours that colour-blind readers tell apart (Okabe and Ito).
Style style(Activity activity) {
    switch (activity) {
        case Activity::send:
            return {"send", "#0072b2", 1};
        case Activity::receive:
            return {"receive", "#56b4e9", 1 + bar + 1};
        case Activity::reduce:
            return {"reduce", "#d55e00", 1 + 2 * (bar + 1)};
        case Activity::copy:
            return {"copy", "#cc79a7", 1 + 2 * (bar + 1)};
        case Activity::overhead:
            return {"overhead", "#999999", 1 + 2 * (bar + 1)};
    }
    return {"", "", 0};
}

/// Light colours, under dark letters; none of them is the colour of an activity.
const char* colour_of_phase(std::uint32_t name) {
    constexpr std::array<const char*, 6> colours{"#b3e2d1", "#fbd99b", "#d9cbe8",
                                                 "#f4f0a8", "#d5d5d5", "#f6c9bd"};
    return colours[name % colours.size()];
}

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == '<')
            safe += "&lt;";
        else if (c == '&')
            safe += "&amp;";
        else if (c == '"')
            safe += "&quot;";
        else
            safe += c;
    }
    return safe;
}

/// Distance of ticks: 1, 2 or 5 times a power of ten, about an eighth of the whole.
Seconds tick_length(Seconds whole) {
    const double power = std::pow(10, std::floor(std::log10(whole / 8)));
    for (const double step : {1.0, 2.0, 5.0})
        if (whole / (step * power) <= 10) return step * power;
    return 10 * power;
}

class Picture {
public:
    Picture(const Timeline& timeline, int p, const Drawing& drawing)
        : timeline_(timeline), p_(p), drawing_(drawing) {
        for (const Interval& interval : timeline.intervals) end_ = std::max(end_, interval.end);
        if (end_ <= 0) end_ = 1e-9;
        for (const PhaseBar& phase : drawing.phases) bands_.try_emplace({phase.strand, phase.depth}, 0);
        for (int line = 0; auto& [place, at] : bands_) at = line++;
        lane_ = bars + band * double(bands_.size());
        if (!drawing.groups.empty()) left_ += 64;
        if (!drawing.phases.empty()) phase_legend();
    }

    std::string text() {
        const double height = top_ + p_ * lane_ + bottom;
        svg_ = format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n",
            drawing_.width, height, drawing_.width, height);
        svg_ += stylesheet;
        svg_ +=
            "<defs><marker id=\"tip\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"5\" "
            "markerHeight=\"5\" orient=\"auto\"><path class=\"tip\" d=\"M0 0L6 3L0 6z\"/></marker></defs>\n";
        if (!drawing_.title.empty())
            svg_ += format("<text x=\"%.0f\" y=\"20\" %s font-weight=\"bold\">%s</text>\n", left_, font,
                           escaped(drawing_.title).c_str());
        legend();
        svg_ += phase_legend_;
        axis();
        for (int rank = 0; rank < p_; ++rank)
            svg_ += format("<text x=\"%.0f\" y=\"%.1f\" %s text-anchor=\"end\">rank %d</text>\n", left_ - 8,
                           lane_of(rank) + (lane_ + 6) / 2, font, rank);
        brackets();
        for (const PhaseBar& phase : drawing_.phases) draw(phase);
        for (const Interval& interval : timeline_.intervals) draw(interval);
        arrows();
        svg_ += format("<text x=\"%.0f\" y=\"%.1f\" %s font-style=\"italic\">%s</text>\n", left_, height - 12,
                       font, escaped(drawing_.origin).c_str());
        return svg_ + "</svg>\n";
    }

private:
    double x(Seconds time) const { return left_ + time / end_ * (drawing_.width - left_ - right); }
    double lane_of(int rank) const { return top_ + rank * lane_; }
    double top_of(const Interval& interval) const {
        return lane_of(interval.rank + 1) - bars + style(interval.activity).offset;
    }
    double middle_of(const Interval& interval) const { return top_of(interval) + bar / 2; }

    /// The names of the phases with their numbers, on as many lines as they need.
    void phase_legend() {
        double at = left_;
        top_ += legend_line;
        for (std::uint32_t name = 0; name < drawing_.names.size(); ++name) {
            const std::string& text = drawing_.names[name].phase;
            const double wide = 30 + letter * double(text.size());
            if (at > left_ && at + wide > drawing_.width - right) {
                at = left_;
                top_ += legend_line;
            }
            const double y = top_ - legend_line;
            phase_legend_ += format(
                "<rect x=\"%.0f\" y=\"%.0f\" width=\"14\" height=\"%.0f\" fill=\"%s\"/>"
                "<text class=\"on\" x=\"%.0f\" y=\"%.0f\" %s text-anchor=\"middle\">%u</text>"
                "<text x=\"%.0f\" y=\"%.0f\" %s>%s</text>\n",
                at, y - 6, band - 1, colour_of_phase(name), at + 7, y + 1, small_font, name + 1, at + 18,
                y + 2, font, escaped(text).c_str());
            at += wide;
        }
    }

    /// Brackets at the left of each run of ranks of one group.
    void brackets() {
        const auto& groups = drawing_.groups;
        for (int rank = 0, next = 0; rank < int(groups.size()); rank = next) {
            const int group = groups[std::size_t(rank)];
            while (next < int(groups.size()) && groups[std::size_t(next)] == group) ++next;
            const double x = left_ - 60, from = lane_of(rank) + 3, to = lane_of(next) - 3;
            svg_ += format(
                "<path class=\"group\" d=\"M%.0f %.1fh-5V%.1fh5\" fill=\"none\"/>"
                "<text x=\"%.0f\" y=\"%.1f\" %s text-anchor=\"end\">group %d</text>\n",
                x, from, to, x - 9, (from + to) / 2 + 4, font, group);
        }
    }

    void draw(const PhaseBar& phase) {
        const double begin = x(phase.begin), wide = std::max(x(phase.end) - begin, 0.5);
        const double y = lane_of(phase.rank) + 1 + band * bands_.at({phase.strand, phase.depth});
        const std::string& name = drawing_.names[phase.name].phase;
        const std::string number = std::to_string(phase.name + 1), whole = number + ' ' + name;
        svg_ += format(
            "<rect class=\"phase\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.0f\" fill=\"%s\">"
            "<title>%s of %llu bytes, %s %s, %s to %s</title></rect>\n",
            begin, y, wide, band - 1, colour_of_phase(phase.name), escaped(name).c_str(),
            static_cast<unsigned long long>(phase.bytes), phase.ranks == 1 ? "rank" : "ranks",
            phase.members.c_str(), readable(phase.begin).c_str(), readable(phase.end).c_str());
        for (const std::string& text : {whole, number}) {
            if (small_letter * double(text.size()) + 4 > wide) continue;
            svg_ += format("<text class=\"on\" x=\"%.2f\" y=\"%.1f\" %s>%s</text>\n", begin + 2, y + band - 3,
                           small_font, escaped(text).c_str());
            break;
        }
    }

    void legend() {
        double at = left_;
        for (const Activity activity :
             {Activity::send, Activity::receive, Activity::reduce, Activity::copy, Activity::overhead}) {
            const bool drawn = std::any_of(timeline_.intervals.begin(), timeline_.intervals.end(),
                                           [&](const Interval& i) { return i.activity == activity; });
            if (!drawn) continue;
            const Style look = style(activity);
            svg_ += format(
                "<rect x=\"%.0f\" y=\"32\" width=\"12\" height=\"%.0f\" fill=\"%s\"/>"
                "<text x=\"%.0f\" y=\"40\" %s>%s</text>\n",
                at, bar, look.colour, at + 16, font, look.name);
            at += 84;
        }
    }

    void axis() {
        const double foot = lane_of(p_);
        for (int rank = 0; rank <= p_; ++rank)
            svg_ += format("<line x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>\n", left_,
                           drawing_.width - right, lane_of(rank), lane_of(rank));
        const Seconds step = tick_length(end_);
        for (int i = 0; i * step <= end_ * (1 + 1e-9); ++i)
            svg_ += format(
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.0f\" y2=\"%.1f\" class=\"grid\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" %s text-anchor=\"middle\">%s</text>\n",
                x(i * step), x(i * step), top_, foot, x(i * step), foot + 16, font,
                readable(i * step).c_str());
    }

    void draw(const Interval& interval) {
        const Style look = style(interval.activity);
        const bool message = interval.activity == Activity::send || interval.activity == Activity::receive;
        const std::string other = !message ? ""
                                  : interval.activity == Activity::send
                                      ? format(" to rank %d", interval.peer)
                                      : format(" from rank %d", interval.peer);
        svg_ += format(
            "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.0f\" fill=\"%s\">"
            "<title>%s %llu bytes%s, %s to %s</title></rect>\n",
            look.name, x(interval.begin), top_of(interval),
            std::max(x(interval.end) - x(interval.begin), 0.5), bar, look.colour, look.name,
            static_cast<unsigned long long>(interval.bytes), other.c_str(), readable(interval.begin).c_str(),
            readable(interval.end).c_str());
    }

    void arrows() {
        std::map<std::uint32_t, const Interval*> sends;
        for (const Interval& interval : timeline_.intervals)
            if (interval.activity == Activity::send) sends[interval.message] = &interval;
        for (const Interval& interval : timeline_.intervals) {
            if (interval.activity != Activity::receive) continue;
            const auto send = sends.find(interval.message);
            if (send == sends.end()) continue;
            svg_ += format(
                "<line class=\"message\" x1=\"%.2f\" y1=\"%.1f\" x2=\"%.2f\" y2=\"%.1f\" "
                "stroke-width=\"0.7\" marker-end=\"url(#tip)\"/>\n",
                x(send->second->begin), middle_of(*send->second), x(interval.end), middle_of(interval));
        }
    }

    const Timeline& timeline_;
    int p_;
    const Drawing& drawing_;
    Seconds end_ = 0;
    double left_ = 64, top_ = 56, lane_ = bars;
    /// Place of a band in its lane, by strand and depth.
    std::map<std::pair<std::size_t, int>, int> bands_;
    std::string svg_, phase_legend_;
};

}  // namespace

std::string to_svg(const Timeline& timeline, int p, const Drawing& drawing) {
    return Picture(timeline, p, drawing).text();
}

}  // namespace echelon
